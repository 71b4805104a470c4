/**
 * What becomes of a journey when a sequence of letters is played through the pure rules: each letter with its outcome, and the
 * journey and its events in the end. Not a test itself; `sequences.ts` makes sequences by chance.
 */
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Journey, PendingMail } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { plannedMessage } from "../../../../src/actors/journey/rules/plan.ts"
import { record, type Recorded, type RecordedEvent } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import type { Outcome } from "../../../../src/actors/journey/rules/state/step.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { countingIds, frozen, started } from "./startedJourneys.ts"

export interface Letter {
  readonly messageId: string
  readonly message: JourneyMessage
  /** Epoch milliseconds. May lie before the letter before it: clocks step back. */
  readonly at: number
}

export interface Sequence {
  readonly facts: StartFacts
  readonly startedAt: number
  readonly letters: ReadonlyArray<Letter>
}

/** What became of one letter. `Repeated`: its id was handled before, so nothing was decided. */
export interface Entry {
  readonly letter: Letter
  readonly outcome: Outcome | { readonly _tag: "Repeated" }
  readonly before: Journey
  readonly after: Journey
  readonly events: ReadonlyArray<RecordedEvent>
  readonly mails: ReadonlyArray<PendingMail>
  /** Nobody sent it: the letter before it planned it. */
  readonly isPlanned: boolean
  /** The journey once everything that the letter planned was taken: what its sender is answered. */
  readonly settled: Journey
}

export interface History {
  readonly sequence: Sequence
  /** The journey as its start left it, with the start's events. */
  readonly started: Recorded
  readonly entries: ReadonlyArray<Entry>
  /** The journey in the end, and the events of the whole life. */
  readonly journey: Journey
  readonly events: ReadonlyArray<RecordedEvent>
}

/**
 * Plays a sequence as an actor would: an id that was handled before is not decided again, and plans are taken at once. `by`: the
 * rules, or others that a fault was planted in.
 */
export const play = (sequence: Sequence, newId?: () => string, by?: typeof decide): History =>
  played(sequence, true, newId, by)

/** Folds a journal: its lines are all the decisions there were, also those that others planned. */
export const folded = (sequence: Sequence, newId?: () => string, by?: typeof decide): History =>
  played(sequence, false, newId, by)

/** `by`: the rules, or a copy of them that is under suspicion. */
const played = (
  sequence: Sequence,
  takesPlans: boolean,
  newId: () => string = countingIds(),
  by: typeof decide = decide
): History => {
  const first = started(sequence.facts, sequence.startedAt, newId)
  const handled = new Set<string>()
  const entries: Array<Entry> = []
  let journey = frozen(first.journey)
  for (const letter of sequence.letters) {
    const [entry, ...all] = entriesOf(journey, letter, handled.has(letter.messageId), newId, by)
    const planned = takesPlans ? all : []
    // What was ignored or refused leaves no trace, so its id is free.
    if (entry.outcome._tag === "Step") handled.add(letter.messageId)
    journey = planned.at(-1)?.after ?? entry.after
    entries.push({ ...entry, settled: journey }, ...planned)
  }
  return {
    sequence,
    started: first,
    entries,
    journey,
    events: [...first.events, ...entries.flatMap(({ events }) => events)]
  }
}

/** The entry of a letter, and those of what it planned. */
export const entriesOf = (
  before: Journey,
  letter: Letter,
  isRepeated: boolean,
  newId: () => string,
  by: typeof decide = decide
): readonly [Entry, ...ReadonlyArray<Entry>] => {
  const first = isRepeated ? repeated(before, letter) : decided(before, letter, newId, false, by)
  const planned: Array<Entry> = []
  let at = first.after
  for (let message = plannedMessage(at); message !== null; message = plannedMessage(at)) {
    const next = decided(at, { ...letter, message }, newId, true, by)
    planned.push(next)
    at = next.after
  }
  return [first, ...planned]
}

const unmoved = (before: Journey) => ({ before, after: before, settled: before, events: [], mails: [] })

const repeated = (before: Journey, letter: Letter): Entry => ({
  ...unmoved(before),
  letter,
  outcome: { _tag: "Repeated" },
  isPlanned: false
})

const decided = (
  before: Journey,
  letter: Letter,
  newId: () => string,
  isPlanned: boolean,
  by: typeof decide
): Entry => {
  const outcome = by(before, letter.message, letter.at)
  if (outcome._tag !== "Step") {
    if (isPlanned) throw new Error(`the planned ${JSON.stringify(letter.message)} came to ${JSON.stringify(outcome)}`)
    return { ...unmoved(before), letter, outcome, isPlanned }
  }
  const { events, journey, mails } = record(outcome, letter.at, newId)
  const after = frozen(journey)
  return { letter, outcome, before, after, settled: after, events, mails, isPlanned }
}

/** Events without their random ids, their bodies parsed: equal for equal lives. */
export const comparable = (events: ReadonlyArray<Omit<RecordedEvent, "id">>) =>
  events.map(({ body, createdAt, sequence, type }) => ({ sequence, type, createdAt, body: bodyWithoutId(body) }))

const bodyWithoutId = (text: string): unknown => {
  const body: Record<string, unknown> = JSON.parse(text)
  const { id: _, ...rest } = body
  return rest
}
