/**
 * Names: a name that is exported from two files would mean two things. The words that this project has replaced do not come back.
 */
import { Visitor } from "oxc-parser"
import type { SourceFile } from "./sources.ts"

/** Names that mean the same thing in every file that exports them. */
const sameEverywhere: ReadonlySet<string> = new Set([
  // Effect's own convention: the layer of the service that the file is named after, and the constructor of its value.
  "layer",
  "make",
  // The layer with settings or limits that are given; for tests.
  "layerOf",
  // A migration's statements, one file a migration.
  "sql"
])

export const namesWithTwoMeanings = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const exportedBy = new Map<string, Array<string>>()
  for (const file of files) {
    for (const name of new Set(ownExports(file))) {
      exportedBy.set(name, [...(exportedBy.get(name) ?? []), file.path])
    }
  }
  return [...exportedBy]
    .filter(([name, paths]) => paths.length > 1 && !sameEverywhere.has(name))
    .map(([name]) => name)
    .toSorted()
}

/** What the file exports and defines itself. A `.d.ts` file repeats the names of the `.js` file that it describes. */
const ownExports = (file: SourceFile): ReadonlyArray<string> =>
  file.path.endsWith(".d.ts")
    ? []
    : file.parsed.module.staticExports
        .flatMap((line) => line.entries)
        .filter((entry) => entry.moduleRequest === null)
        .flatMap((entry) => (entry.exportName.name === null ? [] : [entry.exportName.name]))

/**
 * The old words, as whole identifiers (`owe`) or as a part of one (`lookout` in `isLookout`), each with its replacement and,
 * where the word means something else in another part of the tree, the folder to which the ban is limited.
 * Stored and visible spellings stand in strings and are not identifiers.
 */
const oldWords: ReadonlyArray<readonly [pattern: RegExp, replacement: string, folder?: string]> = [
  [/^tell(?:$|[A-Z])|Tell(?:$|[A-Z])/, "ask, or what is done: print, publish"],
  [/^told(?:$|[A-Z])|Told(?:$|[A-Z])/, "JourneyRequest, or a noun of the field"],
  [/lookout/i, "Leadership"],
  [/sighting/i, "PollStatus"],
  [/^passage|Passage/, "SendAttempts"],
  [/^certainInTime$|^unlessInDoubt$|^orAgain$|^inTimeOrLater$|^certainty$/, "commitOutcome, timeouts"],
  [/patience/i, "timeouts"],
  [/^[hH]and$/, "DeliveryBuffer", "src/actors/webhook/"],
  [/^streak|Streak/, "EndpointHealth"],
  [/^letter(?:s$|$|[A-Z])|Letter(?:s$|$|[A-Z])/, "Email", "src/actors/mail/"],
  [/^letter(?:s$|$|[A-Z])|Letter(?:s$|$|[A-Z])/, "EndpointMessage", "src/actors/webhook/"],
  // `owed` itself is a key of the stored state and stays.
  [/^owe$|^manners$/, "pendingEffects, retryPolicies"],
  [/^settle$/, "pendingEffects", "src/actors/journey/"],
  [/^matter$|Matter/, "MailContext", "src/actors/mail/"],
  [/^standing$/, "isStale", "src/actors/mail/"],
  [/^[vV]isits?$/, "CustomerSession"],
  [/genuine/i, "verifyCallback"],
  [/^endpointTests$/, "pingAndSample"],
  [/^sharing$/, "coordination"]
]

/** The identifiers that hold an old word. */
export const oldNames = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const found = files.flatMap((file) =>
    [...identifiersOf(file)].filter((name) =>
      oldWords.some(([pattern, , folder = ""]) => file.path.startsWith(folder) && pattern.test(name))
    )
  )
  return [...new Set(found)].toSorted()
}

const identifiersOf = (file: SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  new Visitor({ Identifier: (node) => void names.add(node.name) }).visit(file.parsed.program)
  return names
}
