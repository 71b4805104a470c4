import { createConfig, lintFromString, type NormalizedProblem } from "@redocly/openapi-core"
import { describe, expect, it } from "vitest"
import { apiVersion } from "../../../src/schema/apiVersion.ts"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../../src/schema/problems.ts"
import { judgeFaceDetails } from "../../../src/schema/requests/faceReplacement.ts"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { Shape } from "../../../src/schema/journey/statuses.ts"
import { endpointsByName } from "../../../src/http/api/contract.ts"
import { bodyDecoderOf } from "../../../src/http/server/endpoints/asked.ts"
import {
  codesAt,
  document,
  documents,
  operationOf,
  operations,
  operationsIn,
  responseOf,
  webhooks,
  type JsonSchema,
  type OpenApiDocument
} from "./document.ts"

const everyDocument = Object.entries(documents)

const lint = async (source: unknown): Promise<ReadonlyArray<NormalizedProblem>> => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // The API is used under a contract; there is no licence to name.
      "info-license": "off"
    }
  })
  return lintFromString({ source: JSON.stringify(source), absoluteRef: "openapi.json", config })
}

/**
 * Compares the members of two bodies one level deep, and so does not see that finance.panelSubmission, two levels deep,
 * is another constant in each.
 */
const isMistaken = ({ location, ruleId }: NormalizedProblem): boolean =>
  ruleId === "no-illogical-composition-keywords" &&
  location.every(({ pointer }) => pointer?.startsWith("#/components/schemas/StartFinanceIdentityDelivery") === true)

describe("the linter", () => {
  it.each(everyDocument)("finds nothing wrong with the document for %s, its examples included", async (_, one) => {
    const found = await lint(one)
    expect(
      found.filter((one) => !isMistaken(one)).map(({ location, message }) => [message, location[0]?.pointer])
    ).toEqual([])
  })

  it("would have found an example that its schema refuses", async () => {
    const broken = structuredClone(document) as unknown as {
      components: { examples: { JOURNEY_NOT_FOUND: { value: { success: boolean } } } }
    }
    broken.components.examples.JOURNEY_NOT_FOUND.value.success = true
    const found = await lint(broken)
    expect(found.map(({ ruleId }) => ruleId)).toContain("no-invalid-media-type-examples")
  })
})

const schemeOf = (path: string): string =>
  path.startsWith("/settings/") ? "operatorToken" : path.startsWith("/callbacks/") ? "providerSignature" : "apiKey"

describe.each(everyDocument)("the document for %s", (_, one) => {
  const ofOne = operationsIn(one)

  it("is OpenAPI 3.1 of the present version, relative to its host where the service knows no address of its own", () => {
    expect(one.openapi).toMatch(/^3\.1\./)
    expect(one.info.version).toBe(apiVersion)
    expect(one.servers.map(({ url }) => url)).toEqual(["/"])
  })

  it("asks for a bearer key on every operation, or for a session where members may ask, and for a signature on callbacks", () => {
    expect(ofOne.length).toBeGreaterThan(0)
    for (const { operation, path } of ofOne) {
      const scheme = schemeOf(path)
      const member = operation.description.includes("of the company may ask") ? [{ memberSession: [] }] : []
      expect(operation.security, path).toEqual([{ [scheme]: [] }, ...member])
      expect(one.components.securitySchemes[scheme]).toMatchObject(
        scheme === "providerSignature"
          ? { type: "apiKey", in: "header", name: "Service-Signature" }
          : { type: "http", scheme: "bearer" }
      )
    }
  })

  it("describes every tag that an operation or webhook has", () => {
    const described = one.tags.map(({ name }) => name)
    const used = [
      ...ofOne.map(({ operation }) => operation),
      ...Object.values(one.webhooks ?? {}).map(({ post }) => post)
    ]
    expect(new Set(used.flatMap(({ tags }) => tags))).toEqual(new Set(described))
  })
})

it("a webhook asks for no key", () => {
  for (const { post } of Object.values(webhooks)) expect(post.security).toEqual([])
})

describe("error codes", () => {
  const statuses = Object.values(documents).flatMap((one) =>
    operationsIn(one).flatMap(({ operation }) =>
      Object.keys(operation.responses)
        .filter((status) => status === "default" || Number(status) >= 400)
        .map((status) => ({ one, operation, status }))
    )
  )

  it("each stand at an operation", () => {
    const answered = new Set(statuses.flatMap(({ operation, status }) => codesAt(operation, status)))
    expect(errorCodes.filter((code) => !answered.has(code))).toEqual([])
  })

  it("have their own status and meaning wherever they stand", () => {
    expect(statuses.length).toBeGreaterThan(0)
    for (const { one, operation, status } of statuses) {
      const codes = codesAt(operation, status)
      expect(codes.length, `${operation.operationId} ${status}`).toBeGreaterThan(0)
      for (const code of codes as ReadonlyArray<ErrorCode>) {
        if (status !== "default") expect(errorCatalogue[code].status).toBe(Number(status))
        expect(responseOf(operation, status).description).toContain(`\`${code}\`: ${errorCatalogue[code].meaning}`)
        expect(one.components.examples[code]?.value).toMatchObject({
          success: false,
          data: null,
          errors: [{ code }]
        })
      }
    }
  })

  it("come with Retry-After when waiting helps, and with Allow when the method is wrong", () => {
    for (const { operation } of operations) {
      for (const status of [429, 503]) expect(responseOf(operation, status).headers).toHaveProperty("Retry-After")
      expect(codesAt(operation, "default")).toContain("METHOD_NOT_ALLOWED")
      expect(responseOf(operation, "default").headers).toHaveProperty("Allow")
    }
  })
})

describe("request examples", () => {
  const now = Date.UTC(2026, 1, 1)
  const photo = { image: "JPEG", bytes: 200_000 } as const
  const start = (body: unknown, transport: "JSON" | "MULTIPART") =>
    decodeStart(body, {
      companyKind: "DEALER",
      isDealerKnown: true,
      now,
      transport,
      photo: transport === "JSON" ? null : photo
    })
  const facts = { now, allowInsecure: false }

  it("are accepted by the code that reads such requests", () => {
    const withBody = operations.filter(
      ({ operation }) => operation.requestBody?.content["application/json"] !== undefined
    )
    expect(withBody.length).toBeGreaterThan(0)
    for (const { operation } of withBody) {
      const examples = Object.values(operation.requestBody?.content["application/json"]?.examples ?? {})
      expect(examples.length, operation.operationId).toBeGreaterThan(0)
      for (const { value } of examples) {
        const endpoint = endpointsByName.get(operation.operationId)
        const decode = endpoint && bodyDecoderOf(endpoint)
        const decoded = decode ? decode(value, facts) : start(value, "JSON")
        expect(decoded, operation.operationId).toMatchObject({ _tag: "Success" })
      }
    }
  })

  it("show the two parts of a new photo, the details as the code reads them", () => {
    const form = operationOf("replaceCustomerFace").requestBody?.content["multipart/form-data"]?.examples ?? {}
    const [example] = Object.values(form)
    const parts = example?.value as { readonly details: unknown } | undefined
    expect(judgeFaceDetails(parts?.details, now)).toEqual({ malformed: [], withoutConsent: null })
  })

  it("show a start of each shape, under the content type it is sent as", () => {
    const content = operationOf("startJourney").requestBody?.content ?? {}
    const multipart = content["multipart/form-data"]?.examples ?? {}
    expect(multipart).toMatchObject({ FINANCE_SALE: { value: { journey: startExamples.FINANCE_SALE } } })
    expect([...Object.keys(content["application/json"]?.examples ?? {}), ...Object.keys(multipart)]).toEqual([
      ...Shape.literals
    ])
    expect(start(startExamples.FINANCE_SALE, "MULTIPART")).toMatchObject({
      _tag: "Success",
      success: { shape: "FINANCE_SALE" }
    })
  })

  it("show each shape as the answer to its start", () => {
    const examples = responseOf(operationOf("startJourney"), 202).content["application/json"]?.examples
    expect(Object.keys(examples ?? {})).toEqual([...Shape.literals])
  })
})

const references = (value: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(([, name]) => name ?? [])

/** The schemas of a document: those that a request refers to, and those that only answers and events refer to. */
const schemasOf = ({ components, paths, webhooks: events = {} }: OpenApiDocument) => {
  const { responses, schemas } = components
  const reachable = (from: unknown, found = new Set<string>()): ReadonlySet<string> => {
    for (const name of references(from)) if (!found.has(name)) reachable(schemas[name], found.add(name))
    return found
  }
  const asked = Object.values(paths).flatMap((item) => Object.values(item))
  const ofRequests = reachable(asked.map(({ requestBody }) => requestBody ?? null))
  const ofAnswers = reachable([asked.map((operation) => operation.responses), responses, events])
  const inside = (schema: unknown): ReadonlyArray<JsonSchema> =>
    typeof schema === "object" && schema !== null ? [schema, ...Object.values(schema).flatMap(inside)] : []
  const within = (names: Iterable<string>) => [...names].flatMap((name) => inside(schemas[name]))
  return { inRequests: within(ofRequests), inAnswers: within([...ofAnswers].filter((name) => !ofRequests.has(name))) }
}

describe.each(everyDocument)("schemas for %s", (_, one) => {
  const { inAnswers, inRequests } = schemasOf(one)

  it("close every object of a request", () => {
    const objects = inRequests.filter(({ properties, type }) => type === "object" && properties)
    expect(objects.length).toBeGreaterThan(1)
    for (const schema of objects) expect(schema.additionalProperties).toBe(false)
  })

  it("leave every object and enumeration of an answer or event open to more", () => {
    expect(inAnswers.length).toBeGreaterThan(5)
    for (const schema of inAnswers) {
      expect(schema.additionalProperties).not.toBe(false)
      if ((schema.enum?.length ?? 0) > 1) expect(schema.description).toContain("More values may be added")
    }
  })

  it("have no default on what a request may leave out, which generators take for always there", () => {
    const members = inRequests.flatMap(({ properties = {} }) => Object.values(properties))
    expect(members.filter((member) => "default" in member)).toEqual([])
  })
})

describe("schemas", () => {
  const { schemas } = document.components
  const named = (name: string): JsonSchema => schemas[name] ?? {}

  it("say in words what is meant when a member is left out", () => {
    const { depositAmount } = named("SubmitViaMiraFinance").properties ?? {}
    expect(named("SubmitViaMiraFinance").required).not.toContain("depositAmount")
    expect(depositAmount?.description).toContain("Left out, it is `0`.")
  })

  it("tell the bodies of a start apart by type", () => {
    expect(operationOf("startJourney").requestBody?.content["application/json"]?.schema.$ref).toBe(
      "#/components/schemas/StartJourney"
    )
    expect(named("StartJourney").discriminator).toEqual({
      propertyName: "type",
      mapping: {
        FINANCE_IDENTITY_DELIVERY: "#/components/schemas/StartFinanceIdentityDelivery",
        IDENTITY_DELIVERY: "#/components/schemas/StartIdentityDelivery",
        DELIVERY: "#/components/schemas/StartCashSale"
      }
    })
  })

  it("tell the two bodies of a finance journey apart by finance.panelSubmission", () => {
    const submissions = references(named("StartFinanceIdentityDelivery").oneOf).map((body) => {
      const [finance] = references(named(body).properties?.["finance"])
      return named(finance ?? "").properties?.["panelSubmission"]?.enum
    })
    expect(submissions).toEqual([["ALREADY_SUBMITTED"], ["SUBMIT_VIA_MIRA"]])
  })

  it("say what the two parts of a start with a photo are", () => {
    const media = operationOf("startJourney").requestBody?.content["multipart/form-data"]
    expect(media?.encoding).toEqual({
      journey: { contentType: "application/json" },
      customerFace: { contentType: "image/jpeg, image/png" }
    })
    expect(named("StartJourneyWithPhoto")).toMatchObject({
      properties: {
        journey: { $ref: "#/components/schemas/StartFinanceSale" },
        customerFace: { type: "string", format: "binary", maxLength: 5 * 1024 * 1024 }
      },
      required: ["journey", "customerFace"]
    })
  })

  it("show a journey by its type: finance and identity where they exist", () => {
    expect(Object.keys(named("Journey").discriminator?.mapping ?? {})).toEqual([
      "FINANCE_IDENTITY_DELIVERY",
      "IDENTITY_DELIVERY",
      "DELIVERY"
    ])
    expect(named("FinanceIdentityDeliveryJourney").required).toEqual(expect.arrayContaining(["finance", "identity"]))
    expect(named("IdentityDeliveryJourney").required).toEqual(expect.arrayContaining(["finance", "identity"]))
    expect(named("IdentityDeliveryJourney").properties?.["finance"]).toMatchObject({ type: "null" })
    expect(named("DeliveryJourney").properties).not.toHaveProperty("identity")
  })
})
