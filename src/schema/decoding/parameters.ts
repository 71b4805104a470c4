/**
 * What a request says outside its body: the Idempotency-Key header (§4.1) and the query of a list (§4, R7, R8). Forms
 * only; which of them an operation takes is its endpoint's to say.
 */
import { Schema, SchemaAST } from "effect"
import { listLimits } from "../limits.ts"
import type { TimeSpan } from "../page.ts"
import type { ErrorCode } from "../problems.ts"
import { isTimestamp, millisOf, Timestamp, timestampProblem } from "./dates.ts"
import { wholeNumber } from "./numbers.ts"
import { uuid } from "../uuid.ts"

/** Characters of an Idempotency-Key (§4.1, I6). */
export const idempotencyKeyLength = { least: 8, most: 255 } as const

/** Without the flag the pattern would not get into the OpenAPI document. */
export const idempotencyKeyPattern = new RegExp(
  `^[A-Za-z0-9._:-]{${idempotencyKeyLength.least},${idempotencyKeyLength.most}}$`,
  "u"
)

export const IdempotencyKey = Schema.String.check(Schema.isPattern(idempotencyKeyPattern)).annotate({
  description: `${idempotencyKeyLength.least} to ${idempotencyKeyLength.most} letters, digits or . _ : - ; unique per journey`,
  examples: ["deal-1001"]
})

/** How the text of a parameter is brought into form before its schema judges it: an annotation of the schema. */
const formOfText = "journeys/schema/formOfText"

type BringIntoForm = (text: string) => string

/**
 * Text of a parameter; `judge` says what is wrong with it once `bring` has brought it into form. Nothing that is kept holds
 * control characters, and the database refuses to compare with U+0000.
 */
export const textParameter = (
  judge: (text: string) => string | undefined,
  { bring = (text) => text, ...json }: { readonly bring?: BringIntoForm; readonly [keyword: string]: unknown } = {}
) =>
  Schema.String.check(
    Schema.makeFilter((text) => judge(text) ?? (/\p{Cc}/u.test(text) ? "must hold no control characters" : undefined), {
      toJsonSchema: () => [json, true],
      [formOfText]: bring
    })
  )

export const inForm = (schema: Schema.Constraint): BringIntoForm =>
  SchemaAST.resolveAt<BringIntoForm>(formOfText)(schema.ast) ?? ((text) => text)

/** An id, read without regard to case. */
const lowerCase = { bring: (text: string) => text.toLowerCase() }
const judgeId = (text: string) => (uuid.test(text.toLowerCase()) ? undefined : "must be a UUID")

export const Id = textParameter(judgeId, { ...lowerCase, format: "uuid" })

/** The ids of a path or a query that have types of their own. */
export const JourneyIdParameter = Id.pipe(Schema.brand("JourneyId"))
export const CompanyIdParameter = Id.pipe(Schema.brand("CompanyId"))
export const EventIdParameter = Id.pipe(Schema.brand("EventId"))
export const ApiKeyIdParameter = Id.pipe(Schema.brand("ApiKeyId"))
export const MemberIdParameter = Id.pipe(Schema.brand("MemberId"))
export const ConsoleSessionIdParameter = Id.pipe(Schema.brand("ConsoleSessionId"))
export const PasskeyIdParameter = Id.pipe(Schema.brand("PasskeyId"))
export const MailIdParameter = Id.pipe(Schema.brand("MailId"))

/** A place in a list. That it is an id is nothing callers should count on. */
export const IdCursor = textParameter(
  (text) => (judgeId(text) === undefined ? undefined : "must be `next` of an answer"),
  lowerCase
)

/** A moment, in the form that bodies have. A bare + of a query is a space: many programs write the offset +00:00. */
export const TimestampParameter = textParameter(
  (text) =>
    isTimestamp(text.replace(" ", "+")) && !isTimestamp(text)
      ? "must have the + of its offset written as %2B"
      : timestampProblem(text),
  { format: "date-time" }
)

/** The digits of a row's number; with more of them it would be no bigint. */
const serial = /^[1-9]\d{0,17}$/

/** A place in a list of numbered rows. That it is a number is nothing callers should count on. */
export const SerialCursor = textParameter((text) => (serial.test(text) ? undefined : "must be `next` of an answer"))

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

/** Pages are counted from here (R7). */
export const firstPage = 0

export const { largestPageSize, lastPage, longestExternalReference, usualPageSize } = listLimits

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

/** The query of a list that is read piece by piece. */
export const pieceQuery = <const Cursor extends Schema.Top>(cursor: Cursor) => ({
  cursor: Schema.optionalKey(
    cursor.annotate({ description: "Where to go on: `next` of the answer before, from the same filters" })
  ),
  size: PageQuery.fields.size
})

/** How a moment is written, for whoever reads about a parameter. */
export const momentForm = "RFC 3339 with Z or an offset, such as 2030-01-31T09:30:00Z"

const moment = (title: string, description: string) =>
  Schema.optionalKey(Timestamp.annotate({ title, description: `${description}: ${momentForm}` }))

/** The query of a list of which a part of time can be asked for. */
export const spanQuery = {
  since: moment("Since", "Only from then on"),
  until: moment("Until", "Only before then")
}

export const spanOf = ({ since, until }: { readonly since?: string; readonly until?: string }): TimeSpan => ({
  since: since === undefined ? null : millisOf(since),
  until: until === undefined ? null : millisOf(until)
})

/** What `after` can be instead of a place: the present end. */
export const latestEvents = "latest"
