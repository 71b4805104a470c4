/**
 * Checks a receiver: sends the probes of `rules/receiverProbes.ts` one after the other and notes what came of each. They go over the
 * same sender as deliveries, with the same guard of addresses and the same time limit, but they are no deliveries: nothing is stored
 * of them, nothing is sent again, and they say nothing about the endpoint's health.
 */
import { Clock, Duration, Effect } from "effect"
import { apiVersion } from "../../../schema/apiVersion.ts"
import { EventId } from "../../../schema/ids.ts"
import { timestamp } from "../../../schema/moment.ts"
import type { ReceiverCheck, ReceiverCheckLine } from "../../../schema/webhook/ReceiverCheck.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { Ids } from "../../kernel/Ids.ts"
import { StoreUnavailable } from "../../kernel/StoreError.ts"
import type { Endpoint } from "../rules/Endpoint.ts"
import type { Exchange } from "../rules/Exchange.ts"
import {
  judged,
  probeRequest,
  probesInOrder,
  unsent,
  type ProbedEvent,
  type ProbeParts,
  type ProbeRequest
} from "../rules/receiverProbes.ts"
import { signingKey } from "../rules/signature.ts"
import { Sender, type Channel } from "./Sender.ts"
import { settingsReader } from "./settingsReader.ts"

/** A type that no version of the service will have. */
const unknownType = "check.of_a_type_to_come"

/** Null: the endpoint was removed just now. `type` and `data` are those of the event that is sent. */
export const checkReceiver = Effect.fnUntraced(function* (endpoint: Endpoint, type: string, data: unknown) {
  const ids = yield* Ids
  const sender = yield* Sender
  const settings = yield* Effect.catchTag(yield* settingsReader(endpoint.id), "Unopenable", (cause) =>
    Effect.fail(new StoreUnavailable({ cause }))
  )
  if (settings === null) return null
  const began = yield* Clock.currentTimeMillis
  const eventOf = (named: string): ProbedEvent => {
    const id = EventId.make(ids.next())
    const { livemode } = endpoint
    const body = JSON.stringify({ id, type: named, apiVersion, livemode, createdAt: timestamp(began), data })
    return { id, type: named, body }
  }
  const parts: ProbeParts = {
    event: eventOf(type),
    unknown: eventOf(unknownType),
    slow: eventOf(type),
    present: settings.keys.present,
    other: signingKey(ids.unguessable())
  }
  const { url } = settings.endpoint
  const until = began + Duration.toMillis(webhookLimits.checkWithin)
  const lines = yield* Effect.scoped(Effect.flatMap(sender.open(url, 1), (channel) => sendAll(channel, parts, until)))
  return { url, passed: lines.every(({ passed }) => passed === true), lines } satisfies ReceiverCheck
})

const sendAll = Effect.fnUntraced(function* (channel: Channel, parts: ProbeParts, until: number) {
  const lines: Array<ReceiverCheckLine> = []
  for (const probe of probesInOrder) {
    const at = yield* Clock.currentTimeMillis
    if (lines[0]?.passed === false) lines.push(unsent(probe, "not sent: a true event was not taken"))
    else if (at >= until) lines.push(unsent(probe, "not sent: the answers before took too long"))
    else {
      const exchange = yield* posted(channel, probeRequest(probe, parts))
      lines.push(judged(probe, exchange, (yield* Clock.currentTimeMillis) - at))
    }
  }
  return lines
})

const posted = (channel: Channel, { body, headersAt, isSlow }: ProbeRequest): Effect.Effect<Exchange> =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.callback<Exchange>((resume) =>
      channel.post(
        () => headersAt(clock.currentTimeMillisUnsafe()),
        body,
        (exchange) => resume(Effect.succeed(exchange)),
        isSlow ? "SLOWLY" : "AT_ONCE"
      )
    )
  )
