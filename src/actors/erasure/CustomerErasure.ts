/**
 * Erases a customer. First the customer's running journeys are cancelled, each by its own actor; then the customer's key and
 * everything sealed with it is deleted. Journeys, events and the ledger stay, because they hold no personal data. A start or an
 * upload that held the key at that moment may still write, so the erasure looks once more when all such work must be over.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { derivedId } from "../journey/rules/derivedId.ts"
import { askThrough } from "../journey/actor/askJourney.ts"
import { JourneyMailbox } from "../journey/actor/JourneyMailbox.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import { linksTo } from "../kernel/Trace.ts"
import { Vault } from "../kernel/Vault.ts"
import { erasureNewsOf } from "./erasureNews.ts"
import { ErasureJournal } from "./ErasureJournal.ts"
import { Erasures } from "./Erasures.ts"
import { customerErasureLimits } from "./limits.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { Erasure } from "../../schema/erasure/Erasure.ts"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"

export class CustomerErasure extends Context.Service<
  CustomerErasure,
  {
    /** Erases as far as possible now; the rest follows later. Null: the company has no such customer. */
    readonly erase: (
      companyId: CompanyId,
      customerId: string,
      line: AuditLine
    ) => Effect.Effect<Erasure | null, StoreUnavailable | CommitUnknown>
    /** Erasures that were begun and can be resumed at this time, in epoch milliseconds; at most so many. */
    readonly unfinished: (now: number, most: number) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
    /** Takes an unfinished erasure as far as it goes now. That it fails is logged; the next look finds the erasure again. */
    readonly resume: (erasure: Erasure) => Effect.Effect<void>
  }
>()("journeys/actors/CustomerErasure") {}

const aboutOf = ({ companyId, customerId }: Erasure) => ({ companyId, customerReference: customerId })

export const layer = Layer.effect(
  CustomerErasure,
  Effect.gen(function* () {
    const erasures = yield* Erasures
    const mailbox = yield* JourneyMailbox
    const vault = yield* Vault
    const journal = yield* ErasureJournal
    const erasureNews = erasureNewsOf("An erasure cannot be gone on with", "An erasure goes on again")
    const cancelNews = erasureNewsOf(
      "A journey of an erased customer cannot be cancelled",
      "A journey of an erased customer is cancelled now"
    )

    const cancel = (customerId: string, journeyId: JourneyId, scope: { companyId: CompanyId; livemode: boolean }) =>
      askThrough(mailbox, {
        journeyId,
        messageId: derivedId(vault, "erasure", customerId, journeyId),
        sender: "operator",
        scope,
        message: { _tag: "Cancel" }
      }).pipe(
        Effect.andThen(cancelNews.ok({ journeyId })),
        // The next look shows whether the journey still runs.
        Effect.catchTag(["JourneyRefused", "OutcomeUnknown", "StoreUnavailable"], () => Effect.void),
        Effect.catchCause((cause) => cancelNews.failed({ journeyId }, cause))
      )

    const step = Effect.fnUntraced(function* (erasure: Erasure) {
      for (let looks = 0; looks < customerErasureLimits.mostLooks; looks++) {
        const running = yield* erasures.running(erasure)
        if (running.length === 0) break
        yield* Effect.forEach(running, ({ journeyId, scope }) => cancel(erasure.customerId, journeyId, scope), {
          concurrency: customerErasureLimits.cancelledAtOnce,
          discard: true
        })
      }
      // From here on the journal says it, to a backup of the database that does not.
      if (erasure.erasedAt === null) {
        yield* journal.append([{ what: "CUSTOMER", companyId: erasure.companyId, customerId: erasure.customerId }])
      }
      return yield* erasures.shred(erasure, yield* Clock.currentTimeMillis)
    })

    return CustomerErasure.of({
      erase: Effect.fn("CustomerErasure.erase")(function* (companyId, customerId, line) {
        const erasure = yield* erasures.begin({ companyId, customerId }, line)
        if (erasure === null || erasure.erasedAt !== null) return erasure
        // The erasure is recorded: a failure from here on must not be reported as if nothing was done.
        return yield* step(erasure).pipe(
          Effect.catch((error) => Effect.as(Effect.logWarning("An erasure is gone on with later", error), erasure))
        )
      }),
      unfinished: (now, most) => erasures.unfinished(now - Duration.toMillis(customerErasureLimits.settledAfter), most),
      resume: (erasure) =>
        step(erasure).pipe(
          Effect.flatMap((shredded) =>
            erasure.erasedAt === null
              ? Effect.succeed(shredded)
              : Effect.flatMap(Clock.currentTimeMillis, (now) => erasures.finish(erasure, now))
          ),
          Effect.andThen(erasureNews.ok(aboutOf(erasure))),
          Effect.catchCause((cause) => erasureNews.failed(aboutOf(erasure), cause)),
          Effect.withSpan(
            "CustomerErasure.resume",
            { root: true, kind: "consumer", links: linksTo(erasure.traceparent) },
            { captureStackTrace: false }
          )
        )
    })
  })
)
