/**
 * What is not tidy yet, rule by rule. The lists only shrink: a new entry is a fault, and an entry that holds by now is taken
 * out, or the test fails.
 */
type Rule =
  | "longFiles"
  | "longFunctions"
  | "withoutHeader"
  | "namesWithTwoMeanings"
  | "oldNames"
  | "mutualFolders"
  | "filesWithLimits"
  | "undefinedCodes"
  | "pagesWithSentences"

export const notYet: Readonly<Record<Rule, ReadonlyArray<string>>> = {
  longFiles: [],
  longFunctions: [],
  withoutHeader: [],
  namesWithTwoMeanings: [],
  oldNames: [],
  mutualFolders: [],
  filesWithLimits: [],
  undefinedCodes: [],
  pagesWithSentences: []
}
