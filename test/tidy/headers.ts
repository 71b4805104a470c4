/** Headers: every file opens with a comment that says what the file is. How good the comment is, only a reader can judge. */
import type { SourceFile } from "./sources.ts"

const fewestCharacters = 40

/** The lines for receivers in Node: the page for integrators prints the file from its first line on, and a test compares both. */
const printedElsewhere: ReadonlySet<string> = new Set(["test/actors/webhook/receivers/verify.mjs"])

export const withoutHeader = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter((file) => !printedElsewhere.has(file.path) && headerOf(file).length < fewestCharacters)
    .map((file) => file.path)

/** The comments that stand before the first statement. */
const headerOf = (file: SourceFile): string => {
  const first = file.parsed.program.body[0]?.start ?? file.text.length
  return file.parsed.comments
    .filter((comment) => comment.end <= first)
    .map((comment) => comment.value.replaceAll(/[\s*]+/g, " ").trim())
    .join(" ")
}
