/**
 * An endpoint's actor: it sends what is due, as fast as the endpoint takes it and no faster. This page is the actor's
 * life and its mailbox. One fiber works the mailbox off (`endpointTurns.ts`); what is decided, and why, stands in `rules/`.
 *
 *   table ──due──▶ buffer ──send──▶ exchange ──ended──▶ record ──▶ deliveries, attempts, health
 *
 * The due deliveries stand in the database; the buffer is a copy of some of them, so whatever is lost here is read and sent
 * again. No delivery is claimed before it is sent: two actors that do not know of each other may send an event twice.
 * Receivers are told to expect that (§6.3.5), and the log shows both attempts.
 *
 * | failure                       | what happens                                                                    |
 * |-------------------------------|---------------------------------------------------------------------------------|
 * | the endpoint fails or is slow | fewer attempts are in flight there; no other endpoint notices                   |
 * | the database is away          | ended attempts are recorded when it is back; beyond a limit nothing more is sent |
 * | a secret does not open        | the log says so and nothing is sent; the next look tries again                  |
 * | the node stops                | attempts in flight get a moment; what is cut off is sent again                  |
 */
import { Deferred, Effect, Exit, Fiber, Queue, Scope } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import type { Vault } from "../../kernel/Vault.ts"
import type { EndpointNews, Ticket } from "../rules/EndpointMessage.ts"
import type { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import { EndpointUnavailable } from "./EndpointEntity.ts"
import { endpointTurns } from "./endpointTurns.ts"
import type { Sender } from "./Sender.ts"
import type { EndpointId, EventId } from "../../../schema/ids.ts"

export interface EndpointActor {
  /** Something may be due. `resend`: a resend may go on. */
  readonly look: (resend: boolean) => Effect.Effect<void>
  /** The settings have changed. Returns when nothing more is sent by the old ones. */
  readonly changed: Effect.Effect<void>
  /** Makes a test attempt now. Returns when the attempt is in the log. */
  readonly attempt: (eventId: EventId) => Effect.Effect<void, EndpointUnavailable>
}

/** The actor of one endpoint. It lives as long as the scope. */
export const make = Effect.fnUntraced(function* (
  endpointId: EndpointId
): Effect.fn.Return<EndpointActor, never, Scope.Scope | WebhookDeliveryStore | Sender | Vault> {
  const inbox = yield* Queue.unbounded<EndpointNews>()
  const waiting = new Map<Ticket, Deferred.Deferred<boolean>>()
  // Connections and records outlive the actor's own scope until the attempts in flight have ended.
  const beside = yield* Scope.make()
  const turns = yield* endpointTurns(endpointId, inbox, beside, (ticket, isDone) => {
    const waiter = waiting.get(ticket)
    waiting.delete(ticket)
    if (waiter !== undefined) Deferred.doneUnsafe(waiter, Exit.succeed(isDone))
  })
  const working = yield* Effect.forkIn(turns, beside)
  yield* Effect.addFinalizer(() =>
    Queue.offer(inbox, { _tag: "Stopping" }).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.await(working), webhookLimits.stopTimeout)),
      Effect.andThen(Scope.close(beside, Exit.void))
    )
  )

  let tickets = 0
  const ask = (news: (ticket: Ticket) => EndpointNews) =>
    Effect.suspend(() => {
      const waiter = Deferred.makeUnsafe<boolean>()
      tickets += 1
      waiting.set(tickets, waiter)
      Queue.offerUnsafe(inbox, news(tickets))
      return Deferred.await(waiter)
    })

  return {
    look: (resend) => Effect.asVoid(Queue.offer(inbox, { _tag: "Woken", resend })),
    changed: Effect.asVoid(ask((ticket) => ({ _tag: "SettingsChanged", ticket }))),
    attempt: (eventId) =>
      Effect.flatMap(
        ask((ticket) => ({ _tag: "TestWanted", eventId, ticket })),
        (isDone) => (isDone ? Effect.void : Effect.fail(new EndpointUnavailable()))
      )
  }
})
