/**
 * Limits: a limit of a capability stands in the table `limits.ts` of its folder, with its unit and its reason, and nobody
 * else writes the number. Settings that an operator may change stand in settings/environment.ts with their defaults.
 */
import { Visitor } from "oxc-parser"
import type { SourceFile } from "./sources.ts"

/** Files that may name a number with a unit, each with its reason. */
const mayNameNumbers: ReadonlyArray<readonly [path: RegExp, reason: string]> = [
  [/(?:^|\/)limits\.ts$/, "the tables themselves"],
  [/^src\/runtime\/settings\/(?:environment|settingTexts)\.ts$/, "the defaults and bounds of the operator's settings"],
  [/[eE]xample/, "examples in the documents show values and limit nothing"],
  [/^src\/http\/documents\/answerHeaders\.ts$/, "shows an example of the RateLimit headers"],
  [/^src\/runtime\/keys\/(?:AesVault|MasterKeys|sealing)\.ts$/, "the lengths are AES-256-GCM's and those of key ids"],
  [/^src\/runtime\/faces\/photos\/exifOrientation\.ts$/, "the lengths are EXIF's"],
  [/^src\/runtime\/faces\/networks\/faceThresholds\.ts$/, "each threshold stands with the measurement behind it"],
  [/^src\/actors\/faces\/pictureThresholds\.ts$/, "each threshold stands with the measurement behind it"],
  [/^src\/http\/app\/browser\/\w+\.js$/, "a browser cannot load the tables: numbers stand at the head of each script"],
  [/^src\/actors\/webhook\/verifier\.(?:js|d\.ts)$/, "is copied by receivers and stands alone"]
]

/** The files that write a limit and are no table of limits. */
export const filesWithLimits = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter((file) => !mayNameNumbers.some(([path]) => path.test(file.path)))
    .filter((file) => limitsIn(file).length > 0)
    .map((file) => file.path)

const unit = /(?:Millis|Seconds|Minutes|Hours|Days|Bytes)$/
const measure = /^(?:most|largest|longest|max|fewest|least|shortest)[A-Z]/
const spokenDuration = /^\d+ (?:milli|second|minute|hour|day|week)s?$/

/** What in the file looks like a limit: a duration, or a number whose name has a unit or a measure in it. */
export const limitsIn = (file: SourceFile): ReadonlyArray<string> => {
  const found = new Set<string>()
  const text = (node: { start: number; end: number }): string => file.text.slice(node.start, node.end)
  const isNumber = (node: { start: number; end: number }): boolean =>
    /^[\d_]+(?:\.\d+)?(?:\s*\*{1,2}\s*[\d_]+)*$/.test(text(node)) && text(node) !== "0"
  new Visitor({
    CallExpression: (node) => {
      const [first] = node.arguments
      if (
        /^Duration\.(?:millis|seconds|minutes|hours|days|weeks)$/.test(text(node.callee)) &&
        first !== undefined &&
        isNumber(first)
      ) {
        found.add(text(node))
      }
    },
    Literal: (node) => {
      if (typeof node.value === "string" && spokenDuration.test(node.value)) found.add(JSON.stringify(node.value))
    },
    VariableDeclarator: (node) => {
      const name = node.id.type === "Identifier" ? node.id.name : ""
      if (node.init !== null && isNumber(node.init) && (unit.test(name) || measure.test(name))) found.add(name)
    },
    Property: (node) => {
      const name = text(node.key)
      if (isNumber(node.value) && (unit.test(name) || measure.test(name))) found.add(name)
    }
  }).visit(file.parsed.program)
  return [...found]
}
