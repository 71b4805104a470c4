/**
 * What a journey waits for and which calls it would take, as answers show them. The rules say which; methods, paths and
 * bodies are those of the endpoints themselves. Who is told is decided by the operations.
 */
import type { AllowedCalls } from "../../../actors/journey/rules/allowedCalls.ts"
import { awaitedOf, type NewestEvents } from "../../../actors/journey/rules/awaited.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import type { JourneyCall } from "../../../schema/journey/actions.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { endpointOfCall } from "./journeyCalls.ts"

/** The ids of a path. */
type Ids = Readonly<Record<string, string>>

const pathOf = (pattern: string, ids: Ids): string =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "")

export const waitsShown = (journey: Journey, newest: NewestEvents) =>
  awaitedOf(journey, newest).map(({ expectedBy, expiresAt, on, since, who }) => ({
    on,
    who,
    since: timestampOrNull(since),
    expectedBy: timestampOrNull(expectedBy),
    expiresAt: timestamp(expiresAt)
  }))

/** The calls, each with where it is sent and what else there is to say of it. */
export const callsShown = <Name extends JourneyCall, More extends object>(
  { allowed }: Pick<AllowedCalls<Name>, "allowed">,
  ids: Ids,
  more: (operation: Name) => More
) =>
  allowed.map(({ choices, operation }) => {
    const { method, path } = endpointOfCall(operation)
    return { operation, method, path: pathOf(path, ids), choices, ...more(operation) }
  })
