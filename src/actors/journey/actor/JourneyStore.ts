/**
 * The port to the store of journeys. The store promises three things. A commit writes the row, its journal line and its events
 * together or not at all. A commit is refused when the row has another version than the one that was decided on. One journey
 * exists for each company, mode and idempotency key. The store decides nothing else.
 */
import { Context, type Effect } from "effect"
import type { SentAuditLine } from "../../../schema/company/AuditEntry.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import type { NextAction } from "../../../schema/journey/steps.ts"
import type { TotalOf } from "../../../schema/page.ts"
import type { PlaceInTime } from "../../../schema/decoding/place.ts"
import type { Scope } from "../../kernel/Scope.ts"
import type { CommitUnknown, JourneyUnreadable, OutcomeUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { WalletName } from "../../../schema/company/Wallet.ts"
import type { WalletHold } from "../rules/billing.ts"
import type { Journey, PendingMail } from "../rules/state/Journey.ts"
import type { RecordedEvent } from "../rules/recordedEvent.ts"
import type { JourneyId } from "../../../schema/ids.ts"

export interface StoredJourney {
  readonly journey: Journey
  readonly version: number
}

/** A journey as its actor needs it: with the messages that the journey has handled. */
export interface LoadedJourney extends StoredJourney {
  /** The span of the last commit, to which the next due message links back. Null without a tracer. */
  readonly traceparent: string | null
  /** The messages by their ids, as they were stored. */
  readonly handled: ReadonlyMap<string, unknown>
}

/** What one handled message writes, fenced by the version that the message was decided on. */
export interface Commit {
  readonly expectedVersion: number
  readonly journey: Journey
  /** The journey ran before this commit, and has ended with it. */
  readonly endsJourney: boolean
  readonly wakeAt: number | null
  readonly messageId: string
  readonly sender: string
  readonly message: JourneyMessage
  /** The Request-Id that whoever asked is answered with; null when nobody asked. */
  readonly requestId: string | null
  /** The line that the audit log of the journey's company gets with it; null: none. */
  readonly auditLine: SentAuditLine | null
  /** Free text of the message, sealed with the customer's key; null when it has none. */
  readonly sealedNote: Uint8Array | null
  /** The customer's new photo, sealed with the customer's key; it replaces the photo before. Null: no new photo. */
  readonly sealedPhoto: Uint8Array | null
  readonly events: ReadonlyArray<RecordedEvent>
  readonly mails: ReadonlyArray<PendingMail>
  /** Wallets whose hold of this journey is charged. */
  readonly charges: ReadonlyArray<WalletName>
  /** The credits that are still held for this journey are released. */
  readonly releasesHolds: boolean
  /** The vehicle that is sold by this commit, by the company's id of the vehicle. */
  readonly soldVehicle: string | null
  readonly at: number
  /** The span of the decision, stored with the row and the events; null without a tracer. */
  readonly traceparent: string | null
}

/** Where a journey's sealed photo belongs. */
export const photoPlace = (journeyId: JourneyId): string => `customer_photos|${journeyId}`

export interface CustomerKey {
  readonly customerId: string
  readonly wrappedKey: Uint8Array
}

/** Everything an accepted start writes. */
export interface StartCommit {
  readonly journey: Journey
  readonly wakeAt: number | null
  readonly sender: string
  /** As in `Commit`. */
  readonly requestId: string | null
  readonly idempotencyKey: string
  readonly fingerprint: Uint8Array
  readonly customer: CustomerKey & { readonly isNew: boolean; readonly emailIndex: Uint8Array }
  readonly sealedRecord: Uint8Array
  /** By which the journey is found when its vehicle's registration is searched for. */
  readonly registrationIndex: Uint8Array
  /** The dealer that a live broker named, or null. */
  readonly dealerCompanyId: string | null
  /** Null when the start has none, or may not keep it (S7). */
  readonly sealedPhoto: Uint8Array | null
  /** Credits to hold, by wallet; live journeys only. */
  readonly holds: ReadonlyArray<WalletHold>
  /** Wallets of those whose check is asked for at once: charged instead of held. */
  readonly charges: ReadonlyArray<WalletName>
  readonly events: ReadonlyArray<RecordedEvent>
  readonly mails: ReadonlyArray<PendingMail>
  readonly at: number
  /** As in `Commit`. */
  readonly traceparent: string | null
}

/** What became of a start. Only `Created` wrote anything. */
export type StartOutcome =
  | { readonly _tag: "Created" }
  | { readonly _tag: "KeyTaken" }
  | { readonly _tag: "CustomerKnown"; readonly customer: CustomerKey }
  | { readonly _tag: "CustomerGone" }
  | { readonly _tag: "CreditsShort"; readonly wallet: WalletHold["wallet"] }

/** The journey an idempotency key belongs to. */
export interface KeyOwner {
  readonly stored: StoredJourney
  readonly fingerprint: Uint8Array
}

/** What a list is narrowed to; null narrows nothing. Times are epoch milliseconds, and exclusive. */
export interface JourneysFilter {
  readonly status: JourneyStatus | null
  readonly type: JourneyType | null
  readonly nextAction: NextAction | null
  readonly externalReference: string | null
  /** The id of the customer. */
  readonly customerReference: string | null
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  /** Each of these two orders the list by the end of the journeys; `createdAfter` and `createdBefore` are then null. */
  readonly endedAfter: number | null
  readonly endedBefore: number | null
}

/** The filter that leaves all. */
export const everyJourney: JourneysFilter = {
  status: null,
  type: null,
  nextAction: null,
  externalReference: null,
  customerReference: null,
  createdAfter: null,
  createdBefore: null,
  endedAfter: null,
  endedBefore: null
}

/** A list, from a place on or from a page on. Only from a page on it is counted. */
export interface ListQuery {
  readonly filter: JourneysFilter
  readonly from: { readonly after: PlaceInTime } | { readonly page: number }
  readonly size: number
}

export interface ListedJourneys {
  readonly content: ReadonlyArray<Journey>
  readonly total: TotalOf | null
  /** Where the list goes on; null when nothing follows. */
  readonly next: PlaceInTime | null
}

type Reading<A> = Effect.Effect<A, StoreUnavailable | JourneyUnreadable>

/** Ends within `commitLimits.knownWithin`: `OutcomeUnknown` when there is no answer by then. The commit may still happen. */
type Committing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown | OutcomeUnknown>

export class JourneyStore extends Context.Service<
  JourneyStore,
  {
    /** Writes a start, or says why it wrote nothing. */
    readonly start: (commit: StartCommit) => Committing<StartOutcome>
    /** Writes a handled message; `Conflict` when another actor was faster. */
    readonly commit: (commit: Commit) => Committing<"Committed" | "Conflict">
    /**
     * Writes the alarm of this state into its row, where the row says that it has passed, and nobody has written the journey since. A row
     * that was mended by hand may say so, and would be woken for ever.
     */
    readonly restoreAlarm: (journey: StoredJourney) => Effect.Effect<void, StoreUnavailable>
    /** The journey as its actor needs it, or null. */
    readonly load: (journeyId: JourneyId) => Reading<LoadedJourney | null>
    /** The journey as a caller in this scope may see it, or null. */
    readonly read: (journeyId: JourneyId, scope: Scope) => Reading<StoredJourney | null>
    readonly findByKey: (scope: Scope, idempotencyKey: string) => Reading<KeyOwner | null>
    /** Newest first, or the last that ended first. */
    readonly list: (scope: Scope, query: ListQuery) => Effect.Effect<ListedJourneys, StoreUnavailable>
    /** Whether the address, by its index, is that of a customer whom a start would find. */
    readonly hasCustomer: (scope: Scope, emailIndex: Uint8Array) => Effect.Effect<boolean, StoreUnavailable>
    /** The key that seals this journey's personal data, or null when there is no such journey or it was erased. */
    readonly customerKey: (journeyId: JourneyId, scope: Scope) => Reading<CustomerKey | null>
  }
>()("journeys/actors/JourneyStore") {}

/** Where the personal record of a start is sealed: everything that the start said of its customer and the purchase. */
export const recordPlace = (journeyId: JourneyId): string => `personal_records|${journeyId}`

/** Where the sealed free text of a journey's messages belongs. */
export const notePlace = (journeyId: JourneyId): string => `journal|${journeyId}`
