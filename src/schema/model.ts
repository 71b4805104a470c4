/**
 * The variants of a model. A model describes a stored thing once, field by field. The variants say what a field is in the
 * database, in an answer, and in the bodies that make and change the thing. Statements are not written here.
 *
 * | variant    | is                                                                                             |
 * |------------|------------------------------------------------------------------------------------------------|
 * | `row`      | the codec between the thing as the program holds it and its row; `make` fills in the defaults |
 * | `shown`    | the codec between the thing as the program holds it and the JSON of an answer                  |
 * | `resource` | that JSON as the contract describes it; its fields carry the examples                          |
 * | `create`   | the body of the request that makes the thing                                                   |
 * | `patch`    | the body of the request that changes the thing                                                 |
 *
 * Effect's `Model` has no pair like `shown` and `resource`: its clients read the value that the store holds. Our clients
 * keep timestamps as text, and what is sealed never leaves.
 */
import { Effect, Schema } from "effect"
import { VariantSchema } from "effect/schema"

export const { Class: ModelClass, Field: ModelField } = VariantSchema.make({
  variants: ["row", "shown", "resource", "create", "patch"],
  defaultVariant: "row"
})

/** Annotations of a field. They do not reach the OpenAPI document as they are. */
const exampleKey = "journeys/example"
const flagKey = "journeys/flag"
const formKey = "journeys/form"
const columnKey = "journeys/column"

/** An example of the value in JSON. The examples of a resource together are the example of the contract. */
export const withExample = <S extends Schema.Top>(schema: S, example: S["Encoded"]) =>
  schema.annotate({ [exampleKey]: example })

/** The help text of the flag with which a command sets the field. */
export const withFlag = <S extends Schema.Top>(schema: S, help: string) => schema.annotate({ [flagKey]: help })

export const flagOf = (schema: Schema.Constraint): string | undefined => {
  const help = Schema.resolveAnnotations(schema)?.[flagKey]
  return typeof help === "string" ? help : undefined
}

/** What a form calls a number of days, and the least and the most that it may be. */
export interface DaysInForm {
  readonly label: string
  readonly least: number
  readonly most: number
}

export const withDays = <S extends Schema.Top>(schema: S, days: DaysInForm) => schema.annotate({ [formKey]: days })

const isDays = (value: unknown): value is DaysInForm => typeof value === "object" && value !== null

export const daysOf = (schema: Schema.Constraint): DaysInForm | undefined => {
  const days = Schema.resolveAnnotations(schema)?.[formKey]
  return isDays(days) ? days : undefined
}

interface Column {
  /** The column's name, where it is not the field's name in snake case. */
  readonly name?: string
  /** The column is of type json. */
  readonly isJson?: boolean
}

export const inColumn = <S extends Schema.Top>(schema: S, column: Column) => schema.annotate({ [columnKey]: column })

const isColumn = (value: unknown): value is Column => typeof value === "object" && value !== null

export const columnOf = (field: string, schema: Schema.Constraint): Required<Column> => {
  const column = Schema.resolveAnnotations(schema)?.[columnKey]
  const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { name, isJson: false, ...(isColumn(column) ? column : {}) }
}

interface Described extends Schema.ConstraintDecoder<unknown> {
  readonly fields: Readonly<Record<string, Schema.Constraint>>
}

/** The example of a resource or of a body, made of the examples of its fields. It must fit its schema. */
export const exampleOf = <S extends Described>(schema: S): S["Type"] =>
  Schema.decodeUnknownSync(schema)(
    Object.fromEntries(
      Object.entries(schema.fields).flatMap(([name, field]) => {
        const annotations = Schema.resolveAnnotations(field)
        return annotations !== undefined && exampleKey in annotations ? [[name, annotations[exampleKey]]] : []
      })
    )
  )

/** A variant under the name that it has in the OpenAPI document. */
export const named = <const F extends Schema.Struct.Fields>({ fields }: { readonly fields: F }, identifier: string) =>
  Schema.Struct(fields).annotate({ identifier })

/** A stored value with its members in their stored order; a codec would put them into the order of its fields. */
export const asStored = <S extends Schema.Constraint>(schema: S) => Schema.declare(Schema.is(schema))

/** A field whose value looks the same in its column and in JSON, and that no body names. */
export const fixedField = <S extends Schema.Top>(schema: S, { example }: { readonly example: S["Encoded"] }) =>
  ModelField({ row: schema, shown: schema, resource: withExample(schema, example) })

/** An id, which has a type of its own inside and is text to callers. */
export const idField = <S extends Schema.Top & { readonly Encoded: string }>(
  schema: S,
  { example }: { readonly example: string }
) => ModelField({ row: schema, shown: schema, resource: withExample(Schema.String, example) })

/** A setting: a field that has a default and that a PATCH may change. `given` judges what a body says. */
export const settingField = <S extends Schema.Top & Schema.WithoutConstructorDefault, G extends Schema.Top>(
  stored: S,
  given: G,
  about: { readonly byDefault: S["Type"]; readonly example: S["Encoded"]; readonly flag: string }
) =>
  ModelField({
    row: stored.pipe(Schema.withConstructorDefault(Effect.succeed(about.byDefault))),
    shown: stored,
    resource: withExample(stored, about.example),
    patch: Schema.optionalKey(withFlag(given, about.flag))
  })
