/**
 * Start bodies by chance, made from the schemas: what may be left out is left out now and then, numbers, codes and free texts
 * are any that the schema allows, and a text with a form of its own (an address, a postcode, a date) is the example's. Every
 * body is one that the service accepts. Wrong bodies are made by whoever tests refusals.
 */
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { decodeStart } from "../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../src/schema/start/examples.ts"
import type { StartCircumstances } from "../../src/schema/start/rules.ts"
import { startBodies } from "../../src/schema/start/startBodies.ts"

interface Node {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly pattern?: string
  readonly allOf?: ReadonlyArray<unknown>
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly [keyword: string]: unknown
}

type Body<S extends Shape> = (typeof startBodies)[S]["Encoded"]

/** When the bodies are sent: their examples hold dates that lie before it. */
const now = Date.parse("2026-01-15T10:30:00Z")

const circumstances = (shape: Shape): StartCircumstances => ({
  companyKind: "DEALER",
  isDealerKnown: true,
  now,
  transport: shape === "FINANCE_SALE" ? "MULTIPART" : "JSON",
  photo: shape === "FINANCE_SALE" ? { image: "JPEG", bytes: 200_000 } : null
})

const words = fc.stringMatching(/^[A-Z][a-z]{0,8}(?: [a-z]{1,8}){0,3}$/)

/** A value of a schema near an example of it; undefined where the example has none and nothing simple fits. */
const near = (node: Node, example: unknown, definitions: Readonly<Record<string, Node>>): fc.Arbitrary<unknown> => {
  const name = node.$ref?.slice("#/$defs/".length)
  if (name !== undefined) return near(definitions[name] ?? {}, example, definitions)
  if (node.enum !== undefined) return fc.constantFrom(...node.enum)
  if (node.properties !== undefined) return nearObject(node, example, definitions)
  // Lists have rules across their entries: they stay as they are.
  if (example !== undefined && (Array.isArray(example) || typeof example === "boolean")) return fc.constant(example)
  const { maximum = 1000, maxLength = 20, minimum = 1, minLength = 0 } = node
  if (node.type === "integer" && example !== undefined) return fc.integer({ min: minimum, max: maximum })
  const isFree =
    node.type === "string" && node.format === undefined && node.pattern === undefined && node.allOf === undefined
  return isFree && example !== undefined
    ? words.map((text) => text.slice(0, maxLength)).filter((text) => text.trim().length >= minLength)
    : fc.constant(example)
}

const nearObject = (
  { properties = {}, required = [] }: Node,
  example: unknown,
  definitions: Readonly<Record<string, Node>>
): fc.Arbitrary<object> => {
  const known = (example ?? {}) as Readonly<Record<string, unknown>>
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || known[name] !== undefined)
  return fc.record(Object.fromEntries(members.map(([name, node]) => [name, near(node, known[name], definitions)])), {
    requiredKeys: members.map(([name]) => name).filter((name) => required.includes(name))
  })
}

/** Bodies of a shape that the service accepts, from a dealer. A FINANCE_SALE needs its photo beside the body. */
export const startBodiesOf = <S extends Shape>(shape: S): fc.Arbitrary<Body<S>> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(startBodies[shape], { onExcessProperty: "error" })
  const isAccepted = (body: unknown) => Result.isSuccess(decodeStart(body, circumstances(shape)))
  return near(schema as Node, startExamples[shape], definitions as Readonly<Record<string, Node>>).filter(
    isAccepted
  ) as fc.Arbitrary<Body<S>>
}
