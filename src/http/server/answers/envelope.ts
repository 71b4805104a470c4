/**
 * The envelope of every answer (§2.1) as schemas: around data on success, around errors on failure. `problems.ts` writes
 * what these describe.
 */
import { Schema, SchemaAST } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { JourneyPage } from "../../../schema/journey/resource.ts"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../../schema/problems.ts"

const message = Schema.String.annotate({ description: "A sentence for people" })

/** A success with its data; `name` is what the document calls it. */
export const answerOf = <const Data extends Schema.Top>(name: string, data: Data) =>
  Schema.Struct({ success: Schema.Literal(true), data, message, errors: Schema.Null }).annotate({ identifier: name })

const Problem = Schema.Struct({
  field: Schema.String.annotate({
    description:
      "The path of the field at fault, such as finance.addressHistory[2].postcode, or a general area such as journey"
  }),
  code: Schema.Literals(errorCodes).annotate({ description: "Stable; act on the code of the first entry" }),
  message: Schema.String.annotate({
    description: "What is wrong, for people; it never repeats what a body or a header says"
  })
}).annotate({ identifier: "Problem" })

export const Failure = Schema.Struct({
  success: Schema.Literal(false),
  data: Schema.Null,
  message,
  errors: Schema.Array(Problem)
    .check(Schema.isMinLength(1))
    .annotate({ description: "Every problem that was found; the first decides the status" })
}).annotate({ identifier: "Failure", description: "Every failure has this form, whatever its status" })

/** A page of a list (R7); the members beside the content are the same in every list. */
export const listPageOf = <const Entry extends Schema.Top>(name: string, entry: Entry) =>
  Schema.Struct({ ...JourneyPage.fields, content: Schema.Array(entry) }).annotate({ identifier: name })

/** A piece of a list that goes on from a cursor. */
export const cursorPageOf = <const Entry extends Schema.Top>(name: string, entry: Entry) =>
  Schema.Struct({
    content: Schema.Array(entry),
    next: Schema.NullOr(Schema.String).annotate({ description: "The cursor of what follows; null when nothing does" })
  }).annotate({ identifier: name })

/** The annotation of an error's schema that holds its codes. */
const refusalCodes = "journeys/http/refusalCodes"

/** The codes that an endpoint refuses with at the status of this schema. */
export const codesOf = ({ ast }: Schema.Constraint): ReadonlyArray<ErrorCode> =>
  (ast.context?.annotations?.[refusalCodes] ?? []) as ReadonlyArray<ErrorCode>

/** The status of an answer with this schema, which `HttpApiSchema.status` has put there. */
export const statusOfSuccess = ({ ast }: Schema.Constraint): number =>
  (ast.context?.annotations?.["httpApiStatus"] ?? SchemaAST.resolve(ast)?.["httpApiStatus"] ?? 200) as number

/** The errors of an endpoint that refuses with these codes: the failure at each of their statuses. */
export const refusedWith = (
  common: ReadonlyArray<ErrorCode>,
  ...own: ReadonlyArray<ErrorCode>
): ReadonlyArray<typeof Failure> => {
  const codes = errorCodes.filter((code) => common.includes(code) || own.includes(code))
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b)
  return statuses.map((status) =>
    // Beside the status, which is no part of the schema either: every status has the one schema.
    Failure.pipe(HttpApiSchema.status(status)).annotateKey({
      [refusalCodes]: codes.filter((code) => errorCatalogue[code].status === status)
    })
  )
}
