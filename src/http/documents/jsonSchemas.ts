/**
 * Rewrites the JSON Schemas that Effect generates for readers of the document: requests stay closed, answers are open to
 * new members and values, a tagged union names its discriminator, and null is one more type of a value. The functions are
 * pure and know no operation.
 */

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export type JsonSchemas = Readonly<Record<string, JsonSchema>>

const prefix = "#/components/schemas/"
/** The promise of decision E6. */
const mayGrow = "More values may be added; see Versions."

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Changes every object in a value, the innermost objects first. */
const everywhere = (value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown => {
  if (Array.isArray(value)) return value.map((entry) => everywhere(entry, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, everywhere(member, change)])))
}

/** The names of the components that a value refers to, directly or through other components. */
export const reachable = (from: unknown, schemas: JsonSchemas, found: Set<string> = new Set()): Set<string> => {
  everywhere(from, (schema) => {
    const name = nameIn(schema)
    if (name !== undefined && !found.has(name)) reachable(schemas[name], schemas, found.add(name))
    return schema
  })
  return found
}

const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === "string" && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined

/** Every schema in plain form. A schema that no request refers to is open. */
export const tidied = (schemas: JsonSchemas, ofRequests: ReadonlySet<string>): JsonSchemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const plain = everywhere(schema, (one) =>
        withoutDefaults(discriminated(nullable(withoutSafeIntegers(one)), schemas))
      ) as JsonSchema
      return [name, ofRequests.has(name) ? plain : opened(plain)]
    })
  )

export const opened = (schema: JsonSchema): JsonSchema =>
  everywhere(schema, (one) => {
    const { additionalProperties, ...rest } = one
    const kept = additionalProperties === false ? rest : one
    if (!Array.isArray(kept["enum"]) || kept["enum"].length < 2) return kept
    const { description } = kept
    return { ...kept, description: typeof description === "string" ? `${description}\n\n${mayGrow}` : mayGrow }
  }) as JsonSchema

/** Removes the bounds that Effect gives every whole number (what a double holds exactly): they tell a reader nothing. */
const withoutSafeIntegers = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        !(keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
        !(keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)
    )
  )

/**
 * Says in words what an optional member counts as when it is left out. Generators take a member with the keyword `default` for one
 * that is always there, and would make callers send it.
 */
const withoutDefaults = (schema: JsonSchema): JsonSchema => {
  const { properties, required = [] } = schema
  if (!isObject(properties)) return schema
  const inWords = ([name, member]: readonly [string, unknown]) => {
    if (!isObject(member) || !("default" in member) || (required as ReadonlyArray<string>).includes(name)) {
      return [name, member]
    }
    const { default: value, description, ...rest } = member
    const leftOut = `Left out, it is \`${JSON.stringify(value)}\`.`
    return [name, { ...rest, description: typeof description === "string" ? `${description}\n\n${leftOut}` : leftOut }]
  }
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).map(inWords)) }
}

/** Writes `anyOf` of one simple type and null as a list of two types. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [some, nothing] = anyOf as [JsonSchema, JsonSchema]
  if (nothing["type"] !== "null" || typeof some["type"] !== "string") return schema
  const values = some["enum"]
  return {
    ...some,
    ...rest,
    type: [some["type"], "null"],
    ...(Array.isArray(values) ? { enum: [...(values as ReadonlyArray<unknown>), null] } : {})
  }
}

/** Writes `anyOf` of components as `oneOf`, with `type` as the discriminator if each component has a type of its own. */
const discriminated = (schema: JsonSchema, schemas: JsonSchemas): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const names = (anyOf as ReadonlyArray<JsonSchema>).map(nameIn)
  if (!names.every((name) => name !== undefined)) return schema
  const types = names.map((name) => typeOf(name, schemas))
  const isTagged = types.every((type) => type !== undefined) && new Set(types).size === types.length
  return {
    ...rest,
    oneOf: anyOf,
    ...(isTagged
      ? {
          discriminator: {
            propertyName: "type",
            mapping: Object.fromEntries(names.map((name, at) => [types[at] ?? name, prefix + name]))
          }
        }
      : {})
  }
}

/** The one value that `type` has in a component, or in all components that the component chooses from. */
const typeOf = (name: string, schemas: JsonSchemas): string | undefined => {
  const schema = schemas[name] ?? {}
  const choices = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(choices)) {
    const types = new Set((choices as ReadonlyArray<JsonSchema>).map((choice) => typeOf(nameIn(choice) ?? "", schemas)))
    return types.size === 1 ? [...types][0] : undefined
  }
  const properties = schema["properties"]
  const type = isObject(properties) ? properties["type"] : undefined
  const values = isObject(type) ? type["enum"] : undefined
  return Array.isArray(values) && values.length === 1 ? String(values[0]) : undefined
}
