/**
 * `given` a start and what happened before, `when` a message comes, then see what the rules decide: the pure rules alone,
 * without a database and without time that passes.
 */
import { isDeepStrictEqual } from "node:util"
import type { StartFacts } from "../../src/actors/journey/rules/decideStart.ts"
import type { Journey } from "../../src/actors/journey/rules/state/Journey.ts"
import { journeyResource } from "../../src/actors/journey/rules/projection.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import type { JourneyResource } from "../../src/schema/journey/resource.ts"
import { play, type Entry } from "../actors/journey/rules/histories.ts"
import { mailsAmong, second, startedAt } from "../actors/journey/rules/startedJourneys.ts"
import { knownMessage } from "./knownMessage.ts"

/** What the last messages came to. Only what is named is compared. */
export interface Expected {
  /** The types of the events, in order. */
  readonly events?: ReadonlyArray<string>
  /** The kinds of the mails. */
  readonly mails?: ReadonlyArray<string>
  readonly status?: Journey["status"]
  readonly nextAction?: JourneyResource["nextAction"]
  /** The code that the last message is refused with. */
  readonly refused?: string
  readonly ignored?: boolean
}

export interface Decided {
  readonly journey: Journey
  readonly resource: JourneyResource
  readonly entries: ReadonlyArray<Entry>
  /** Throws with both sides when something named differs. */
  readonly expect: (expected: Expected) => void
}

export interface Given {
  readonly when: (...messages: ReadonlyArray<JourneyMessage>) => Decided
}

const lettersOf = (messages: ReadonlyArray<JourneyMessage>) =>
  messages.map((message, at) => ({
    messageId: `message-${at + 1}`,
    message: knownMessage(message, `Message ${at + 1}`),
    at: startedAt + (at + 1) * second
  }))

/** Messages come a second apart. Those of `before` must all be steps. */
export const given = (facts: StartFacts, ...before: ReadonlyArray<JourneyMessage>): Given => ({
  when: (...messages) => {
    const history = play({ facts, startedAt, letters: lettersOf([...before, ...messages]) })
    const isBefore = ({ letter }: Entry) => letter.at <= startedAt + before.length * second
    const failed = history.entries.find((entry) => isBefore(entry) && entry.outcome._tag !== "Step")
    if (failed !== undefined)
      throw new Error(`given ${JSON.stringify(failed.letter.message)}: ${JSON.stringify(failed.outcome)}`)
    const entries = history.entries.filter((entry) => !isBefore(entry))
    const resource = journeyResource(history.journey)
    return {
      journey: history.journey,
      resource,
      entries,
      expect: (expected) => {
        const outcome = entries.at(-1)?.outcome
        const all: Required<{ [Name in keyof Expected]: unknown }> = {
          events: entries.flatMap(({ events }) => events.map(({ type }) => type)),
          mails: entries.flatMap(({ mails }) => mailsAmong(mails)),
          status: history.journey.status,
          nextAction: resource.nextAction,
          refused: outcome?._tag === "Rejected" ? outcome.code : undefined,
          ignored: outcome?._tag === "Ignored"
        }
        const seen = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name as keyof Expected]]))
        if (!isDeepStrictEqual(seen, expected)) {
          throw new Error(`expected ${JSON.stringify(expected)}, but it came to ${JSON.stringify(seen)}`)
        }
      }
    }
  }
})
