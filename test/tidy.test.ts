/**
 * What keeps the house tidy: sizes, headers, names, folders, limits and cited decisions. The checks are pure and stand in
 * test/tidy; each is shown here to find its fault in a made-up sample. What does not hold yet is listed in notYet.ts.
 */
import { existsSync, readdirSync } from "node:fs"
import * as ids from "../src/schema/ids.ts"
import { describe, expect, it } from "vitest"
import { undefinedCodes } from "./tidy/decisions.ts"
import { mutualFolders, wrongDirections } from "./tidy/folders.ts"
import { withoutHeader } from "./tidy/headers.ts"
import { filesWithHooks } from "./tidy/hooks.ts"
import { filesWithLimits } from "./tidy/limits.ts"
import { namesWithTwoMeanings, oldNames } from "./tidy/names.ts"
import { notYet } from "./tidy/notYet.ts"
import { assertedRows, plainIds } from "./tidy/rows.ts"
import { longFiles, longFunctions } from "./tidy/sizes.ts"
import { sourceFile, sourcesUnder, textAt, textsOf } from "./tidy/sources.ts"
import { sentencesOfPages } from "./tidy/words.ts"

const source = sourcesUnder("src")
const tests = sourcesUnder("test")
/** What the tests are made with. A test or a contract itself is read from its describes and its names. */
const testTools = tests.filter((file) => !/\.(?:test|contract)\.ts$/.test(file.path))
const decisionsFile = new URL("../docs/decisions.md", import.meta.url)

describe("the tree", () => {
  it("has source to look at", () => {
    expect(source.length).toBeGreaterThan(200)
    expect(tests.length).toBeGreaterThan(200)
    expect([...source, ...tests].flatMap((file) => file.parsed.errors)).toEqual([])
  })

  it("has at its top nothing but what a reader expects there, and settings of tools", () => {
    const all = readdirSync(new URL("../", import.meta.url))
    expect(all.filter((name) => !/^\.|^node_modules$|\.(?:log|tgz|whl)$/.test(name)).toSorted()).toEqual([
      "Dockerfile",
      "README.md",
      "compose.yaml",
      "deploy",
      "docs",
      "package-lock.json",
      "package.json",
      "src",
      "test",
      "tsconfig.json"
    ])
  })

  it("has no file of more than 300 lines", () => {
    expect(longFiles([...source, ...tests])).toEqual(notYet.longFiles)
  })

  it("has no function of more than 70 lines, and no layer builder of more than 120", () => {
    expect(longFunctions([...source, ...testTools])).toEqual(notYet.longFunctions)
  })

  it("begins every file with a comment", () => {
    expect(withoutHeader([...source, ...testTools])).toEqual(notYet.withoutHeader)
  })

  it("has no hooks at the top level of a file that tests import", () => {
    expect(filesWithHooks(testTools)).toEqual([])
  })

  it("exports a name from one file only", () => {
    expect(namesWithTwoMeanings(source)).toEqual(notYet.namesWithTwoMeanings)
  })

  it("does not use the words again that were replaced", () => {
    expect(oldNames(source)).toEqual(notYet.oldNames)
  })

  it("imports in one direction", () => {
    expect(wrongDirections(source)).toEqual([])
  })

  it("has no two folders that import each other", () => {
    expect(mutualFolders(source)).toEqual(notYet.mutualFolders)
  })

  it("keeps its limits in tables", () => {
    expect(filesWithLimits(source)).toEqual(notYet.filesWithLimits)
  })

  it("decodes every row of a statement", () => {
    expect(assertedRows(source)).toEqual([])
  })

  it("gives the ids of ports and rows the types that they have", () => {
    expect(plainIds(source, Object.keys(ids))).toEqual([])
  })

  it("has every sentence that customers read in the catalogue of words", () => {
    const sentences = sentencesOfPages(source)
    expect(sentences.filter((sentence) => !isOfPageNotYet(sentence))).toEqual([])
    expect(notYet.pagesWithSentences.filter((path) => !sentences.some((one) => one.startsWith(`${path}:`)))).toEqual([])
  })

  it.skipIf(!existsSync(decisionsFile))("defines every decision that it cites", () => {
    const texts = textsOf("src", "test", "deploy", "docs", "README.md")
    expect(undefinedCodes(texts, textAt("docs/decisions.md"))).toEqual(notYet.undefinedCodes)
  })

  it("says how much is not tidy yet", () => {
    const remaining = Object.entries(notYet).map(([rule, places]) => `${rule}: ${places.length}`)
    process.stdout.write(`Not tidy yet: ${remaining.join(", ")}\n`)
  })
})

const isOfPageNotYet = (sentence: string): boolean =>
  notYet.pagesWithSentences.some((path) => sentence.startsWith(`${path}:`))

const lines = (count: number, line = "  work()"): string => Array.from({ length: count }, () => line).join("\n")
const file = (text: string, path = "src/actors/mail/sample.ts") => sourceFile(path, text)

describe("a check finds", () => {
  it("rows whose type is asserted", () => {
    const asserted = [file("sql<{ readonly n: number }>`select 1 as n`"), file("sql.unsafe<Row>(text)")]
    expect(asserted.flatMap((one) => assertedRows([one]))).toHaveLength(2)
    expect(assertedRows([file("Row.first(sql`select 1 < 2 as yes`)")])).toEqual([])
  })

  it("an id that is plain text where its thing has a type", () => {
    const plain = [
      file("readonly mailId: string"),
      file("mailId: column.orNull(column.text)", "src/runtime/stores/a.ts")
    ]
    expect(plainIds(plain, ["MailId"])).toHaveLength(2)
    const other = [
      file("readonly mailId: MailId"),
      file("const sentMailId: string"),
      file("mailId: string", "src/http/a.ts")
    ]
    expect(plainIds(other, ["MailId"])).toEqual([])
  })

  it("a file of 301 lines, and none of 300", () => {
    expect(longFiles([file(lines(300)), file(lines(301), "src/long.ts")])).toEqual(["src/long.ts"])
  })

  it.each([
    ["a function", `export const work = () => {\n${lines(69)}\n}`, "work"],
    ["a declared function", `function work() {\n${lines(69)}\n}`, "work"],
    ["a method", `class Work {\n  begin() {\n${lines(69)}\n  }\n}`, "begin"],
    ["a member", `export const work = { begin: () => {\n${lines(69)}\n} }`, "begin"],
    ["a generator", `export const work = Effect.gen(function* () {\n${lines(69)}\n})`, "work"],
    [
      "a function inside a layer builder",
      `Layer.effect(X, Effect.gen(function* () {\nconst work = () => {\n${lines(69)}\n}\n}))`,
      "work"
    ],
    ["a layer builder", `export const layer = Layer.effect(X, Effect.gen(function* () {\n${lines(119)}\n}))`, "layer"]
  ])("%s that is too long", (_, text, name) => {
    expect(longFunctions([file(text)])).toEqual([`src/actors/mail/sample.ts ${name}`])
  })

  it.each([
    [
      "a generator that is handed to Layer.effect",
      `export const layer = Layer.effect(X, Effect.gen(function* () {\n${lines(100)}\n}))`
    ],
    [
      "one that is handed over by name",
      `const make = Effect.gen(function* () {\n${lines(100)}\n})\nexport const layer = Layer.effect(X, make)`
    ],
    [
      "one that is handed to the curried form",
      `export const layer = Layer.effect(X)(Effect.gen(function* () {\n${lines(100)}\n}))`
    ],
    [
      "a function that answers with a Layer",
      `export const layerOf = (a: A) => Layer.mergeAll(\n${lines(100, "  one,")}\n)`
    ],
    ["a function of 70 lines", `export const work = () => {\n${lines(68)}\n}`]
  ])("nothing in %s", (_, text) => {
    expect(longFunctions([file(text)])).toEqual([])
  })

  it("a hook that is registered on import, but not one in a function that a test file calls", () => {
    const hook = "beforeEach(async () => {})"
    expect(filesWithHooks([file(hook, "test/ground.ts"), file(`export const use = () => {\n${hook}\n}`)])).toEqual([
      "test/ground.ts"
    ])
  })

  it("a file without a header, and one whose header says nothing", () => {
    const good = file("/** The sample: what it is, and what it is not for. */\nexport const a = 1")
    const bad = [file("export const a = 1", "src/a.ts"), file("// Sample.\nexport const a = 1", "src/b.ts")]
    const late = file("export const a = 1\n/** The sample: what it is, and what it is not for. */", "src/c.ts")
    expect(withoutHeader([good, ...bad, late])).toEqual(["src/a.ts", "src/b.ts", "src/c.ts"])
  })

  it("a name that two files export, but not a layer, a name handed on, or a type beside its value", () => {
    const files = [
      file("export interface Answer {}\nexport const Answer = 1\nexport const layer = 1", "src/a.ts"),
      file("export type Answer = string\nexport const layer = 2\nexport { only } from './c.ts'", "src/b.ts"),
      file("export const only = 1", "src/c.ts")
    ]
    expect(namesWithTwoMeanings(files)).toEqual(["Answer"])
  })

  it("an old word in an identifier, but not in a string or in another word", () => {
    expect(oldNames([file("const isLookout = owe(told)")])).toEqual(["isLookout", "owe", "told"])
    expect(oldNames([file('const teller = { "owed": lower("letter") }')])).toEqual([])
  })

  it("an import against the direction", () => {
    const wrong = file('import { a } from "../../http/server/a.ts"')
    const handedOn = file('export { a } from "../runtime/a.ts"', "src/http/b.ts")
    const right = file('import { a } from "../../schema/a.ts"\nimport { b } from "effect"')
    expect(wrongDirections([wrong, handedOn, right])).toEqual([
      "src/actors/mail/sample.ts imports src/http/server/a.ts",
      "src/http/b.ts imports src/runtime/a.ts"
    ])
  })

  it("two folders that import each other, whatever lies deeper in them", () => {
    const there = file('import { a } from "../journey/rules/a.ts"')
    const back = file('import type { A } from "../../mail/a.ts"', "src/actors/journey/actor/a.ts")
    expect(mutualFolders([there, back])).toEqual(["src/actors/journey and src/actors/mail"])
    expect(mutualFolders([there])).toEqual([])
  })

  it("two folders deep in the tree that import each other", () => {
    const there = file('import { a } from "../state/a.ts"', "src/actors/journey/rules/table/a.ts")
    const back = file('export { a } from "../table/deep/a.ts"', "src/actors/journey/rules/state/a.ts")
    expect(mutualFolders([there, back])).toEqual(["src/actors/journey/rules/state and src/actors/journey/rules/table"])
    expect(mutualFolders([back])).toEqual([])
  })

  it.each([
    ["a file", "src/runtime/App.ts", 'import { a } from "./node/a.ts"'],
    ["a file with a dynamic import", "src/runtime/start.js", 'await import("./node/health/a.ts")']
  ])("a folder that imports %s of its parent, and is imported by it", (_, path, text) => {
    const down = file(text, path)
    const up = file('import type { Settings } from "../../Settings.ts"', "src/runtime/node/health/b.ts")
    expect(mutualFolders([down, up])).toEqual(["src/runtime and src/runtime/node"])
    expect(mutualFolders([down])).toEqual([])
    expect(mutualFolders([up, file('import { b } from "./b.ts"', "src/runtime/node/health/c.ts")])).toEqual([])
  })

  it.each([
    ["a duration", "const wait = Duration.seconds(30)"],
    ["a duration in words", 'const wait = Effect.timeout("30 seconds")'],
    ["a number with its unit", "const waitMillis = 30_000"],
    ["a product with its unit", "const largest = 1\nconst keptBytes = 16 * 1024"],
    ["a number with a measure", "const mostWorkers = 8"],
    ["a member with its unit", "const options = { timeoutMillis: 30_000 }"]
  ])("%s outside a table of limits", (_, text) => {
    expect(filesWithLimits([file(text)])).toEqual(["src/actors/mail/sample.ts"])
    expect(filesWithLimits([file(text, "src/actors/mail/limits.ts")])).toEqual([])
  })

  it.each([
    "const at = Duration.millis(given)",
    "const waitMillis = Duration.toMillis(wait)",
    "const leastMillis = 0",
    "const sum = 1 + 2"
  ])("no limit in %s", (text) => {
    expect(filesWithLimits([file(text)])).toEqual([])
  })

  it.each([
    ["a text between tags", "const page = html`<p>Send it</p>`", "Send it"],
    ["a single word between a tag and a value", "const page = html`<b>Hello ${name}</b>`", "Hello"],
    ["a label that is read out", 'const page = html`<nav aria-label="Your steps"></nav>`', "Your steps"],
    ["a text beside the markup", 'const heading = "Please try again"', "Please try again"],
    ["a text with a value in it", "const heading = `Hello ${name}`", "Hello …"]
  ])("%s in a page", (_, text, sentence) => {
    expect(sentencesOfPages([file(text, "src/http/app/frame/page.ts")])).toEqual([
      `src/http/app/frame/page.ts: ${sentence}`
    ])
    expect(sentencesOfPages([file(text, "src/http/api/page.ts")])).toEqual([])
  })

  it.each([
    'const page = html`<p class="hint">${words.hint}</p> &middot; ${shown && html` hidden`}${html` class="quiet"`}`',
    'const failure = problem("NOT_FOUND", "body", "Send the form as a browser does")',
    'const kind = "text/css; charset=utf-8"\nthrow new Error("No way")'
  ])("no sentence in %s", (text) => {
    expect(sentencesOfPages([file(text, "src/http/app/frame/page.ts")])).toEqual([])
  })

  it("a decision that is cited and not defined", () => {
    const decisions = "## Checks\n\n- **V15** The order.\n- **INV-2** One journey.\n- **BAD-H** the HTTP layer"
    const text = "The order (V15, V16). INV-2 and INV-3; BAD-H19, BAD-J3: 1V2, %D5, M9-1 and A1:1 are no codes, W3."
    expect(undefinedCodes([{ path: "src/a.ts", text }], decisions)).toEqual(["src/a.ts cites BAD-J, INV-3, V16, W3"])
  })
})
