/**
 * Random sequences of messages to the real actor on a real database give the same answers, row, journal and events as the pure
 * decision gives without a database.
 */
import { Effect } from "effect"
import * as fc from "fast-check"
import { randomInt } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { storedLives, wrongsOf, type StoredLife } from "../../../support/consistency.ts"
import { freshDatabase } from "../../../support/service.ts"
import { expectedAnswer } from "../rules/expectedAnswer.ts"
import { sent } from "../rules/history.ts"
import { comparable, play, type History } from "../rules/histories.ts"
import { sequences } from "../rules/sequences.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"

const lives = 300
/** Journeys under way at once: enough for a statement to carry several of them. */
const atOnce = 32

let actors: Actors
beforeAll(async () => {
  actors = await startActors(await freshDatabase())
})
afterAll(() => actors.stop())

/** Tells a history's letters one after another, and finds what is answered otherwise than the fold says. */
const told = (history: History) =>
  Effect.forEach(sent(history.entries), (entry) => {
    const { at, message, messageId } = entry.letter
    return Effect.map(actors.ask(history.sequence.facts.id, message, { at, messageId }), (answer) =>
      isDeepStrictEqual(answer, expectedAnswer(entry))
        ? []
        : [{ letter: entry.letter, answer, expected: expectedAnswer(entry) }]
    )
  }).pipe(Effect.map((wrongs) => wrongs.flat()))

const differences = (history: History, life: StoredLife | undefined): ReadonlyArray<string> => {
  if (life === undefined) return ["the journey is not stored"]
  // What was planned has ids that the actor made up.
  const steps = history.entries
    .filter(({ outcome }) => outcome._tag === "Step")
    .map(({ isPlanned, letter: { at, message, messageId } }) => ({
      messageId: isPlanned ? null : messageId,
      message,
      at
    }))
  const journal = life.journal.slice(1).map(({ at, message, message_id }, line) => ({
    messageId: steps[line]?.messageId === null ? null : message_id,
    message,
    at: at.getTime()
  }))
  const events = life.events.map((event) => ({ ...event, createdAt: event.created_at.getTime() }))
  return [
    ...(isDeepStrictEqual(life.state, JSON.parse(JSON.stringify(history.journey)))
      ? []
      : ["the row differs from the fold"]),
    ...(isDeepStrictEqual(journal, steps) ? [] : ["the journal differs from the fold's steps"]),
    ...(isDeepStrictEqual(comparable(events), comparable(history.events)) ? [] : ["the events differ from the fold's"]),
    ...wrongsOf(life, history.sequence.facts)
  ]
}

it("the real actor takes random journeys through the same states as the pure decision, invariant 8 included", async () => {
  const seed = randomInt(2 ** 31)
  const histories = fc
    .sample(sequences({ clock: "steps back" }), { numRuns: lives, seed })
    .map((life) =>
      play({ ...life, facts: { ...life.facts, id: JourneyId.make(nextId()), customerReference: nextId() } })
    )
  await Promise.all(histories.map(({ sequence }) => actors.begin(sequence.facts, sequence.startedAt)))
  const wrongAnswers = await actors.run(Effect.forEach(histories, told, { concurrency: atOnce }))
  expect({ seed, wrongAnswers: wrongAnswers.flat().slice(0, 3) }).toEqual({ seed, wrongAnswers: [] })
  const stored = new Map((await storedLives(actors.query)).map((life) => [life.id, life]))
  const wrongs = histories.flatMap((history) =>
    differences(history, stored.get(history.sequence.facts.id)).map((what) => ({
      what,
      letters: history.sequence.letters
    }))
  )
  expect({ seed, wrongs: wrongs.slice(0, 3) }).toEqual({ seed, wrongs: [] })
  expect(histories.flatMap(({ entries }) => entries).length).toBeGreaterThan(lives * 5)
})
