/**
 * Words: a page of the customer's app, and a page's script, says nothing of its own. Every sentence stands in the catalogue
 * `src/schema/words`, in every language.
 */
import { Visitor } from "oxc-parser"
import type { SourceFile } from "./sources.ts"

/** The sentences that the pages and their scripts hold themselves, each with its file. */
export const sentencesOfPages = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter(({ path }) => path.startsWith("src/http/app/"))
    .flatMap((file) => sentencesIn(file).map((sentence) => `${file.path}: ${sentence}`))

/** Where a template has a value. */
const value = "\uE000"

const sentencesIn = (file: SourceFile): ReadonlyArray<string> => {
  const found = new Set<string>()
  const ofPrograms = new Set<number>()
  new Visitor({
    TaggedTemplateExpression: ({ quasi, tag }) => {
      ofPrograms.add(quasi.start)
      if (tag.type !== "Identifier" || tag.name !== "html") return
      for (const words of wordsOfMarkup(quasi.quasis.map((part) => part.value.raw).join(value))) found.add(words)
    },
    CallExpression: ({ arguments: given, callee }) => {
      // What a program reads beside a problem's code, and what operators read in the log.
      if (!/^(?:problem|Effect\.log\w*)$/.test(file.text.slice(callee.start, callee.end))) return
      for (const argument of given) ofPrograms.add(argument.start)
    },
    // What a defect tells its developer.
    NewExpression: ({ arguments: given }) => {
      for (const argument of given) ofPrograms.add(argument.start)
    },
    Literal: ({ start, value: text }) => {
      if (typeof text === "string" && !ofPrograms.has(start) && isSentence(text)) found.add(text)
    },
    TemplateLiteral: ({ quasis, start }) => {
      const text = quasis.map((part) => part.value.raw).join(value)
      if (!ofPrograms.has(start) && isSentence(text)) found.add(text.replaceAll(value, "…"))
    }
  }).visit(file.parsed.program)
  return [...found]
}

/** A text that people read begins with a capital and goes on with another word. */
const isSentence = (text: string): boolean => /^\p{Lu}[\p{L}'’]* [\p{L}\uE000]/u.test(text)

/** Attributes alone, as a page adds them to a tag. */
const attributesOnly = /^(?:\s+[a-z-]+(?:="[^"]*")?)+\s*$/

/** The rules of a style sheet. */
const styleOnly = /^[^<]*\{[^<}]*:[^<]*\}\s*$/

/** The texts between tags, and the attributes that are shown or read out. */
const wordsOfMarkup = (markup: string): ReadonlyArray<string> => {
  if (attributesOnly.test(markup) || styleOnly.test(markup)) return []
  const shown = [...markup.matchAll(/\b(?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text = ""]) => text)
  const texts = [
    ...markup.replaceAll(/<[^>]*>/g, "\n").split(/[\n\uE000]/),
    ...shown.flatMap((text) => text.split(value))
  ]
  return texts.map((text) => text.replaceAll(/&\w+;/g, " ").trim()).filter((text) => /\p{L}{2}/u.test(text))
}
