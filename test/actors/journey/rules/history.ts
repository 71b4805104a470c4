/** How invariants read a history. Not a test itself. */
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import type { Entry, History } from "./histories.ts"

/** What is wrong, in words; nothing when the invariant holds. */
export type Invariant = (history: History) => ReadonlyArray<string>

export const endingEvents: ReadonlyArray<string> = ["journey.completed", "journey.cancelled", "journey.expired"]

export const logOf = ({ events }: Pick<History, "events">): ReadonlyArray<string> => events.map(({ type }) => type)

/** Those of several findings that are so. */
export const wrongs = (...findings: ReadonlyArray<readonly [boolean, string]>): ReadonlyArray<string> =>
  findings.flatMap(([isSo, what]) => (isSo ? [what] : []))

/** The states a history went through, the start's included, with the time of the last letter. */
export const statesOf = (history: History): ReadonlyArray<{ readonly journey: Journey; readonly now: number }> => [
  { journey: history.started.journey, now: history.sequence.startedAt },
  ...history.entries.flatMap(({ after, letter, outcome }) =>
    outcome._tag === "Step" ? [{ journey: after, now: letter.at }] : []
  )
]

/** What somebody sent, without what was planned by it. */
export const sent = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.filter(({ isPlanned }) => !isPlanned)

/** The entries that changed the journey. */
export const steps = ({ entries }: History): ReadonlyArray<Entry> =>
  entries.filter(({ outcome }) => outcome._tag === "Step")
