/** Deliveries and attempts as columns, one array for each parameter of the statements in `deliveryStatements.ts`; rows back. */
import { PgTypes } from "@effect/sql-pg"
import type { DueAsk } from "../../actors/webhook/actor/DeliveryStore.ts"
import type { WebhookAttemptOutcome } from "../../actors/webhook/rules/attemptOutcome.ts"
import type { DueWebhookDelivery } from "../../actors/webhook/rules/DueWebhookDelivery.ts"
import type { Endpoint } from "../../actors/webhook/rules/Endpoint.ts"
import type { AttemptTrigger } from "../../schema/webhook/WebhookDelivery.ts"
import type { EventType } from "../../schema/journey/events.ts"
import type { OffReason } from "../../schema/webhook/Endpoint.ts"
import { column } from "../postgres/columns.ts"

const { OID } = PgTypes

const date = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))
const millis = (at: Date | null): number | null => (at === null ? null : at.getTime())

/** Before every delivery there can be. */
const first = { dueAt: Date.UTC(1, 0, 1), eventId: "00000000-0000-0000-0000-000000000000" }

export const dueColumns = (asks: ReadonlyArray<DueAsk>) => [
  column(asks, OID.uuid, (ask) => ask.endpointId),
  column(asks, OID.timestamptz, (ask) => date(ask.now)),
  column(asks, OID.timestamptz, (ask) => date((ask.after ?? first).dueAt)),
  column(asks, OID.uuid, (ask) => (ask.after ?? first).eventId),
  column(asks, OID.int4, (ask) => ask.limit)
]

/** What text columns cannot hold: U+0000, and halves of surrogate pairs. */
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()

export const outcomeColumns = (outcomes: ReadonlyArray<WebhookAttemptOutcome>) => [
  column(outcomes, OID.uuid, (one) => one.endpointId),
  column(outcomes, OID.uuid, (one) => one.delivery.eventId),
  column(outcomes, OID.int4, (one) => one.delivery.attempts),
  column(outcomes, OID.timestamptz, (one) => date(one.at)),
  column(outcomes, OID.int4, (one) => one.durationMillis),
  column(outcomes, OID.text, (one) => one.delivery.trigger),
  column(outcomes, OID.int4, (one) => one.httpStatus),
  column(outcomes, OID.text, (one) => one.error),
  column(outcomes, OID.text, (one) => (one.answer === null ? null : storable(one.answer))),
  column(outcomes, OID.bool, (one) => one.delivered),
  column(outcomes, OID.int4, (one) => one.tries),
  column(outcomes, OID.timestamptz, (one) => date(one.dueAt))
]

export interface DueRow {
  readonly endpoint_id: string
  readonly event_id: string
  readonly attempts: number
  readonly tries: number
  readonly trigger: AttemptTrigger
  readonly due_at: Date | null
  readonly journey_id: string
  readonly sequence: number
  readonly type: EventType
  readonly body: string
  readonly created_at: Date
  readonly traceparent: string | null
}

export const dueDelivery = (row: DueRow): DueWebhookDelivery => ({
  eventId: row.event_id,
  dueAt: millis(row.due_at),
  type: row.type,
  body: row.body,
  createdAt: row.created_at.getTime(),
  traceparent: row.traceparent,
  journeyId: row.journey_id,
  sequence: row.sequence,
  attempts: row.attempts,
  tries: row.tries,
  trigger: row.trigger
})

export interface EndpointRow {
  readonly id: string
  readonly company_id: string
  readonly livemode: boolean
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly off_reason: OffReason | null
  readonly off_since: Date | null
  readonly sealed_secret: Uint8Array
  readonly sealed_previous_secret: Uint8Array | null
  readonly previous_until: Date | null
  readonly revision: number
  readonly failing_since: Date | null
  readonly last_failed_at: Date | null
  readonly warnings: number
  readonly created_at: Date
  readonly removed_at: Date | null
}

export const endpointOf = (row: EndpointRow): Endpoint => ({
  id: row.id,
  companyId: row.company_id,
  livemode: row.livemode,
  url: row.url,
  events: row.events,
  enabled: row.enabled,
  offReason: row.off_reason,
  offSince: millis(row.off_since),
  sealedSecret: row.sealed_secret,
  sealedPreviousSecret: row.sealed_previous_secret,
  previousUntil: millis(row.previous_until),
  revision: row.revision,
  health: {
    failingSince: millis(row.failing_since),
    lastFailedAt: millis(row.last_failed_at),
    warnings: row.warnings
  },
  createdAt: row.created_at.getTime(),
  removedAt: millis(row.removed_at)
})
