/**
 * What a request says outside its body: the Idempotency-Key header (§4.1) and the query of a list (§4, R7, R8). Forms
 * only; which of them an operation takes is its endpoint's to say.
 */
import { Schema, SchemaAST } from "effect"
import { LogStatus } from "./webhook/WebhookDelivery.ts"
import { eventTypes } from "./journey/events.ts"
import { JourneyStatus } from "./journey/statuses.ts"
import type { ErrorCode } from "./problems.ts"
import { wholeNumber } from "./start/numbers.ts"

/** §4.1, I6. Without the flag the pattern would not get into the OpenAPI document. */
export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{8,255}$/u

export const IdempotencyKey = Schema.String.check(Schema.isPattern(idempotencyKeyPattern)).annotate({
  description: "8 to 255 letters, digits or . _ : - ; unique per journey",
  examples: ["deal-1001"]
})

/** An id, brought to lower case first. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** How the text of a parameter is brought into form before its schema judges it: an annotation of the schema. */
const formOfText = "journeys/schema/formOfText"

type BringIntoForm = (text: string) => string

export const inForm = (schema: Schema.Constraint): BringIntoForm =>
  SchemaAST.resolveAt<BringIntoForm>(formOfText)(schema.ast) ?? ((text) => text)

/** An id, read without regard to case. */
export const Id = Schema.String.check(
  Schema.makeFilter((text: string) => (uuid.test(text.toLowerCase()) ? undefined : "must be a UUID"), {
    toJsonSchema: () => [{ format: "uuid" }, true],
    [formOfText]: (text: string) => text.toLowerCase()
  })
)

/** What is answered when a part of a path names nothing. */
export interface UnknownPart {
  readonly code: ErrorCode
  readonly field: string
  readonly message?: string
}

/** A part of a path that names something: an annotation of its schema. A part without it is judged as a field is. */
const unknownPartKey = "journeys/schema/unknownPart"

export const unknownPart = (schema: Schema.Constraint): UnknownPart | undefined =>
  SchemaAST.resolveAt<UnknownPart>(unknownPartKey)(schema.ast)

/** The annotation of a part of a path that names something; `field` is what the refusal is about. */
export const naming = (field: string, code: ErrorCode = "NOT_FOUND", message?: string) => ({
  [unknownPartKey]: { code, field, ...(message === undefined ? {} : { message }) } satisfies UnknownPart
})

/** R7, R8. Page numbers end beyond any list that exists, and small enough to multiply. */
export const firstPage = 0
export const lastPage = 1_000_000_000
export const usualPageSize = 20
export const largestPageSize = 100
/** §4.2 gives externalReference this length; the filter can ask for no more. */
export const longestExternalReference = 100

export const PageQuery = Schema.Struct({
  page: Schema.optionalKey(
    wholeNumber(firstPage, lastPage).annotate({
      default: firstPage,
      description: "The page, counted from 0; a page past the end is empty"
    })
  ),
  size: Schema.optionalKey(
    wholeNumber(1, largestPageSize).annotate({ default: usualPageSize, description: "Entries a page" })
  )
})

export const JourneyQuery = Schema.Struct({
  status: Schema.optionalKey(JourneyStatus.annotate({ description: "Only journeys of this status" })),
  externalReference: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(longestExternalReference)).annotate({
      description: "Only journeys started with exactly this externalReference, case included; several may share it"
    })
  ),
  ...PageQuery.fields
})

export const DeliveryQuery = Schema.Struct({
  status: Schema.optionalKey(LogStatus.annotate({ description: "Only deliveries that stand so" })),
  type: Schema.optionalKey(Schema.Literals(eventTypes).annotate({ description: "Only events of this type" })),
  journeyId: Schema.optionalKey(Schema.String.annotate({ format: "uuid", description: "Only events of this journey" })),
  cursor: Schema.optionalKey(
    Schema.String.annotate({ description: "Where to go on: `next` of the answer before, from the same filters" })
  ),
  size: PageQuery.fields.size
})

/** What `after` can be instead of a place: the present end. */
export const latestEvents = "latest"

export const EventQuery = Schema.Struct({
  journeyId: Schema.optionalKey(
    Schema.String.annotate({
      format: "uuid",
      description: "Only events of this journey; of one that is not yours there are none"
    })
  ),
  type: DeliveryQuery.fields.type,
  delivered: Schema.optionalKey(
    Schema.Literals(["true", "false"]).annotate({
      description:
        "Only events that the webhook endpoint of the key's mode has answered with 2xx, or only those it has not, as it stands when you ask"
    })
  ),
  after: Schema.optionalKey(
    Schema.String.annotate({
      description: `Only events behind this place: \`next\` of an earlier answer. With \`${latestEvents}\` the page is empty and its \`next\` is the present end`
    })
  ),
  size: PageQuery.fields.size
})
