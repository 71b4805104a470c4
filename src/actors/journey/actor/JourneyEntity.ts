/**
 * The protocol of a journey's actor: which messages it takes and what it answers. The behaviour is in `JourneyActor.ts`.
 * Messages are not stored: a message that was lost with its node is sent again under the same id and handled once.
 */
import { Effect, Schema } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { SentAuditLine } from "../../../schema/company/AuditEntry.ts"
import { JourneyMessage } from "../../../schema/journey/messages.ts"
import { OutcomeUnknown } from "../../kernel/StoreError.ts"
import { errorCodes } from "../../../schema/problems.ts"
import { FinanceResource, IdentityResource, JourneyResource } from "../../../schema/journey/resource.ts"
import { CompanyId } from "../../../schema/ids.ts"

/** The journey cannot be reached or written now. Nothing was changed. */
export class JourneyUnavailable extends Schema.TaggedError<JourneyUnavailable>()("JourneyUnavailable", {}) {}

/**
 * A message with its id and sender. `scope` keeps a caller to the journeys of its own company and mode; the service's own
 * senders have none. `sealedNote` is free text and `sealedPhoto` a photo; both are sealed with the customer's key, in base64.
 */
export const JourneyRequest = Schema.Struct({
  messageId: Schema.String,
  sender: Schema.String,
  scope: Schema.NullOr(Schema.Struct({ companyId: CompanyId, livemode: Schema.Boolean })),
  message: JourneyMessage,
  sealedNote: Schema.NullOr(Schema.String),
  sealedPhoto: Schema.NullOr(Schema.String),
  /** The Request-Id that the sender's caller is answered with. Absent: nobody asked, or a node of an earlier version sent it. */
  requestId: Schema.optionalKey(Schema.String),
  /** The line of the audit log that is written together with what the message does. */
  auditLine: Schema.optionalKey(SentAuditLine)
})
export type JourneyRequest = typeof JourneyRequest.Type

/**
 * The journey of an answer. A node of an earlier version answers without the members that came later, and is understood while
 * nodes are replaced one after another. A test decodes such an answer.
 */
const AnsweredJourney = Schema.Struct({
  ...JourneyResource.fields,
  finance: Schema.NullOr(
    Schema.Struct({
      ...FinanceResource.fields,
      failureReason: FinanceResource.fields.failureReason.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
    })
  ),
  identity: Schema.optionalKey(
    Schema.Struct({
      ...IdentityResource.fields,
      assurance: IdentityResource.fields.assurance.pipe(Schema.withDecodingDefaultKey(Effect.succeed("NONE" as const)))
    })
  )
})

export const Answer = Schema.Union([
  /** Done, now or before (`isReplay`): the journey as it is. A node of an earlier version does not say which. */
  Schema.TaggedStruct("Done", { journey: AnsweredJourney, isReplay: Schema.optionalKey(Schema.Boolean) }),
  Schema.TaggedStruct("Refused", { code: Schema.Literals(errorCodes), message: Schema.String }),
  Schema.TaggedStruct("Ignored", { reason: Schema.String }),
  /** No such journey in this scope. */
  Schema.TaggedStruct("NoJourney", {}),
  /** The message id was used before, for another message. */
  Schema.TaggedStruct("IdReused", {})
])
export type Answer = typeof Answer.Type

/**
 * The name that a request to a journey has between nodes and in spans. Nodes of earlier versions use it, and nodes are
 * replaced one after another, so the name on the wire does not follow the name in the code.
 */
export const askOnTheWire = "Tell"

export const JourneyEntity = Entity.make("Journey", [
  Rpc.make(askOnTheWire, {
    payload: JourneyRequest,
    success: Answer,
    error: Schema.Union([JourneyUnavailable, OutcomeUnknown])
  }),
  /** Handles whatever is due. */
  Rpc.make("Wake", { error: Schema.Union([JourneyUnavailable, OutcomeUnknown]) })
]).annotateRpcs(ClusterSchema.Persisted, false)
