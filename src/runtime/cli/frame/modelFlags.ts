/**
 * Flags made from the fields of a body: a field with a help text becomes the flag `--its-name`. A field that a command line
 * must write in another way, such as a provider or a pace, has no help text in its model and gets its flags by hand.
 */
import type { Option, Schema, SchemaAST } from "effect"
import { Flag } from "effect/cli"
import { flagOf } from "../../../schema/model.ts"
import { inAnyCase } from "./parameters.ts"

type Fields = Readonly<Record<string, Schema.Constraint>>

/** The fields that a flag can say: a word, a number, a switch. */
type Sayable<F extends Fields> = {
  readonly [K in keyof F as F[K]["Type"] extends string | number | boolean | undefined ? K : never]: F[K]
}

type RequiredFlags<F extends Fields> = { readonly [K in keyof Sayable<F>]: Flag.Flag<F[K]["Type"]> }

type OptionalFlags<F extends Fields> = {
  readonly [K in keyof Sayable<F>]: Flag.Flag<Option.Option<Exclude<F[K]["Type"], undefined>>>
}

export const kebab = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A flag that takes what the schema is made of. What of it the schema permits is judged by the service. */
export const flagFor = (name: string, ast: SchemaAST.AST, help: string): Flag.Flag<unknown> => {
  switch (ast._tag) {
    case "Boolean":
      return Flag.Boolean(name).pipe(Flag.withDescription(`${help}; --no-${name}: no`))
    case "Number":
      return Flag.Int(name).pipe(Flag.withDescription(help))
    case "Union": {
      const words = ast.types.flatMap((type) => (type._tag === "Literal" ? [String(type.literal)] : []))
      return Flag.ChoiceWithValue(name, inAnyCase(words)).pipe(Flag.withDescription(help))
    }
    default:
      return Flag.String(name).pipe(Flag.withDescription(help))
  }
}

const flagsFor = (fields: Fields, mark: string): ReadonlyArray<readonly [string, Flag.Flag<unknown>]> =>
  Object.entries(fields).flatMap(([field, schema]) => {
    const help = flagOf(schema)
    return help === undefined ? [] : [[field, flagFor(kebab(field), schema.ast, `${help}${mark}`)] as const]
  })

/** Flags that must all be given. */
export const requiredFlags = <const F extends Fields>({ fields }: { readonly fields: F }) =>
  // Each entry has the type that its field says: an object made of entries cannot show it.
  Object.fromEntries(flagsFor(fields, " (required)")) as unknown as RequiredFlags<F>

/** Flags of which any may be left out. */
export const optionalFlags = <const F extends Fields>({ fields }: { readonly fields: F }) =>
  // As above.
  Object.fromEntries(
    flagsFor(fields, "").map(([field, flag]) => [field, Flag.optional(flag)])
  ) as unknown as OptionalFlags<F>
