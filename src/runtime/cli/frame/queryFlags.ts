/**
 * Flags made from the query of an operation: a filter that the operation has is a flag of its command, with the same words and the
 * same help. Where a list goes on, and how many entries it shows, say the flags that all lists share (`parameters.ts`).
 */
import { SchemaAST, type Option } from "effect"
import { Flag } from "effect/cli"
import { flagFor, kebab } from "./modelFlags.ts"
import { queryOf, type SettingsOperation, type SettingsRequest } from "./SettingsClient.ts"

const placesInList = ["page", "size", "cursor", "after"] as const
type PlaceInList = (typeof placesInList)[number]
const isPlace = (name: PropertyKey): boolean => placesInList.some((place) => place === name)

/** Commands name a journey in one way, whatever they take it from. */
const otherNames: Readonly<Record<string, string>> = { journeyId: "journey" }

type QueryOf<Name extends SettingsOperation> =
  SettingsRequest<Name> extends { readonly query: infer Query } ? Query : never

type QueryFlags<Name extends SettingsOperation> = {
  readonly [K in Exclude<keyof QueryOf<Name>, PlaceInList>]-?: Flag.Flag<
    Option.Option<Exclude<QueryOf<Name>[K], undefined>>
  >
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))

/** What is said about the parameter where it stands comes before what its schema says about each such value. */
const helpOf = (ast: SchemaAST.AST): string => {
  const { default: byDefault, description } = { ...SchemaAST.resolve(ast), ...ast.context?.annotations }
  return byDefault === undefined ? String(description) : `${String(description)}; left out, ${textOf(byDefault)}`
}

/** Flags of which any may be left out, one for each parameter of the operation's query. */
export const queryFlags = <const Name extends SettingsOperation>(operation: Name) =>
  // Each entry has the type that its parameter says: an object made of entries cannot show it.
  Object.fromEntries(
    queryOf(operation).flatMap(({ name, type }) =>
      isPlace(name)
        ? []
        : [[name, Flag.optional(flagFor(otherNames[String(name)] ?? kebab(String(name)), type, helpOf(type)))]]
    )
  ) as unknown as QueryFlags<Name>
