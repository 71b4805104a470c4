import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { startBodies } from "../../../src/schema/start/startBodies.ts"
import { shapes } from "./judge.ts"

interface Node {
  readonly type?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly additionalProperties?: boolean
  readonly maxLength?: number
  readonly enum?: ReadonlyArray<unknown>
}

const documentOf = (shape: (typeof shapes)[number]) =>
  Schema.toJsonSchemaDocument(startBodies[shape], { onExcessProperty: "error" })

describe.each(shapes)("the JSON Schema of %s", (shape) => {
  const definitions = documentOf(shape).definitions as Readonly<Record<string, Node>>
  const nodes = (node: Node): ReadonlyArray<Node> => [
    node,
    ...Object.values(node.properties ?? {}).flatMap(nodes),
    ...(node.items === undefined ? [] : nodes(node.items))
  ]
  const all = Object.values(definitions).flatMap(nodes)

  it("closes every object and bounds every free text", () => {
    const objects = all.filter(({ type }) => type === "object")
    expect(objects.length).toBeGreaterThan(3)
    for (const object of objects) expect(object.additionalProperties).toBe(false)
    for (const text of all.filter((node) => node.type === "string" && node.enum === undefined)) {
      expect(text.maxLength).toBeGreaterThan(0)
    }
  })

  it("is named, and knows the fields of the example", () => {
    const name = documentOf(shape).schema["$ref"] as string
    expect(name).toMatch(/^#\/\$defs\/Start[A-Z]\w+$/)
    const root = definitions[name.slice("#/$defs/".length)]
    for (const field of Object.keys(startExamples[shape])) expect(root?.properties).toHaveProperty([field])
  })
})

describe("the JSON Schema of a limit", () => {
  it("is what the decoder applies", () => {
    const definitions = documentOf("FINANCE_SUBMIT_VIA_MIRA").definitions as Readonly<Record<string, Node>>
    expect(definitions).toMatchObject({
      Vehicle: {
        properties: {
          registration: { type: "string", minLength: 1, maxLength: 20 },
          year: { type: "integer", minimum: 1900, maximum: 2100 }
        },
        required: ["registration"]
      },
      SubmitViaMiraFinance: {
        properties: {
          loanTerm: { type: "integer", minimum: 12, maximum: 120 },
          vehiclePrice: { type: "number", exclusiveMinimum: 0, maximum: 99_999_999.99 },
          depositAmount: { type: "number", minimum: 0, default: 0 },
          addressHistory: { type: "array", maxItems: 10 }
        }
      },
      Applicant: { properties: { dateOfBirth: { format: "date" }, email: { format: "email" } } }
    })
  })
})
