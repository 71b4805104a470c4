/**
 * Finishes the document that Effect generates from the `HttpApi` value. The value gives paths, parameters, bodies and
 * schemas. This file adds the examples and the meanings of error codes from the annotations of the endpoints, and the
 * headers of answers, the multipart encodings and the webhooks from the files beside it. The same value always gives the
 * same document.
 */
import { Context, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../schema/problems.ts"
import { answerHeaders, headersOf, headersOfAnyRequest, headersOfEvent, headersOfReplay } from "./answerHeaders.ts"
import { leastRoleOf } from "../server/endpoints/Asker.ts"
import { OperatorTokenRequired } from "../server/endpoints/security.ts"
import { answerAt, Described, OptionalBody, type DescribedAnswer } from "../server/endpoints/described.ts"
import { refusalsOfAnyRequest } from "../server/answers/commonRefusals.ts"
import { codesOf } from "../server/answers/envelope.ts"
import { failureExamples, meaningsOf } from "./failureExamples.ts"
import { opened, reachable, tidied, type JsonSchema, type JsonSchemas } from "./jsonSchemas.ts"
import { aboutWebhooks } from "./prose.ts"
import { eventParameters, webhooks } from "./webhooks.ts"

type Operation = OpenApi.OpenAPISpecOperation
type Endpoints = ReadonlyMap<string, HttpApiEndpoint.Top>

/** What the finished document of a public has: its endpoints by name, and webhooks if the public receives them. */
interface Completed {
  readonly endpoints: Endpoints
  readonly hasWebhooks: boolean
}

export const completed =
  ({ endpoints, hasWebhooks }: Completed) =>
  (generated: Record<string, unknown>): Record<string, unknown> => {
    const spec = generated as unknown as OpenApi.OpenAPISpec
    const schemas = spec.components.schemas as JsonSchemas
    const paths = Object.fromEntries(
      Object.entries(spec.paths).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, operation]) => [method, finished(operation as Operation, endpoints)])
        )
      ])
    )
    const bodies = Object.values(spec.paths).flatMap((item) =>
      Object.values(item).map((operation) => (operation as Operation).requestBody)
    )
    const answers = { paths, responses: { AnyRequest: refusedBefore } }
    return {
      ...spec,
      tags: hasWebhooks ? [...spec.tags, { name: "Webhooks", description: aboutWebhooks }] : spec.tags,
      paths,
      ...(hasWebhooks ? { webhooks } : {}),
      components: {
        ...spec.components,
        securitySchemes: Object.fromEntries(Object.entries(spec.components.securitySchemes).map(inLowerCase)),
        schemas: tidied(schemas, reachable(bodies, schemas)),
        headers: headersIn(answers),
        ...(hasWebhooks ? { parameters: eventParameters } : {}),
        examples: failureExamples([...endpoints.values()].flatMap(codesOfEndpoint).concat(refusalsOfAnyRequest)),
        responses: answers.responses
      }
    }
  }

/** The headers that some answer has. */
const headersIn = (answers: unknown) => {
  const text = JSON.stringify(answers)
  return Object.fromEntries(
    Object.entries(answerHeaders).filter(([name]) => text.includes(`"#/components/headers/${name}"`))
  )
}

const codesOfEndpoint = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<ErrorCode> =>
  [...endpoint.error].flatMap(codesOf)

const finished = (operation: Operation, endpoints: Endpoints) => {
  const endpoint = endpoints.get(operation.operationId)
  if (endpoint === undefined) throw new Error(`no endpoint ${operation.operationId}`)
  return {
    ...operation,
    ...(isOfSettings(endpoint) ? askedBy(operation, endpoint) : {}),
    parameters: operation.parameters.map(explained(endpoint)),
    ...(operation.requestBody === undefined
      ? {}
      : { requestBody: requestBody(operation, endpoint, operation.requestBody) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          Number(status) < 400
            ? success(operation, endpoint, Number(status), response)
            : failure(operation, endpoint, Number(status), response)
        ])
      ),
      default: { $ref: "#/components/responses/AnyRequest" }
    }
  }
}

const isOfSettings = ({ middlewares }: HttpApiEndpoint.Top): boolean =>
  (middlewares as ReadonlySet<unknown>).has(OperatorTokenRequired)

/** Who may ask an operation of the settings API, in words and as security schemes. */
const askedBy = ({ description, security }: Operation, endpoint: HttpApiEndpoint.Top) => ({
  description: `${description}\n\n${whoMayAsk(endpoint)}`,
  security: leastRoleOf(endpoint) === undefined ? security.slice(0, 1) : security
})

const whoMayAsk = (endpoint: HttpApiEndpoint.Top): string => {
  switch (leastRoleOf(endpoint)) {
    case undefined:
      return "Only the operator may ask."
    case "OWNER":
      return "The operator and the owners of the company may ask."
    case "TEAM":
      return "The operator and all members of the company may ask."
  }
}

/** The names of schemes have no case, but Scalar knows only "bearer" in lower case. */
const inLowerCase = ([name, scheme]: readonly [string, OpenApi.OpenAPISecurityScheme]) =>
  [name, scheme.type === "http" ? { ...scheme, scheme: scheme.scheme.toLowerCase() } : scheme] as const

/**
 * On the wire a parameter is text, and the generator says so. What the text must say is told by the type's side of the
 * parameter's schema.
 */
const explained = (endpoint: HttpApiEndpoint.Top) => (parameter: OpenApi.OpenAPISpecParameter) => {
  const ast = [endpoint.params, endpoint.query, endpoint.headers]
    .flatMap((schema) => (schema === undefined ? [] : [SchemaAST.toType(schema.ast)]))
    .flatMap((members) => (members._tag === "Objects" ? members.propertySignatures : []))
    .find(({ name }) => String(name).toLowerCase() === parameter.name.toLowerCase())?.type
  if (ast === undefined) return parameter
  const { description, ...schema } = Schema.toJsonSchemaDocument(Schema.make(ast)).schema
  const generated: JsonSchema = { ...parameter.schema }
  return { ...parameter, schema, description: generated["description"] ?? description }
}

const requestBody = (
  { operationId }: Operation,
  endpoint: HttpApiEndpoint.Top,
  body: OpenApi.OpenAPISpecRequestBody
) => {
  const examples = Context.getOrUndefined(endpoint.annotations, Described)?.request
  return {
    ...body,
    required: Context.getOrUndefined(endpoint.annotations, OptionalBody) !== true,
    content: Object.fromEntries(
      Object.entries(body.content).map(([type, media]) => [
        type,
        {
          ...media,
          examples: examples?.[type] ?? {},
          ...(type === "multipart/form-data" ? { encoding: photoEncoding(operationId) } : {})
        }
      ])
    )
  }
}

/** The two parts of a form. The JSON part is `details` with a new photo, and `journey` on a start. */
const photoEncoding = (operationId: string) => ({
  [operationId === "replaceCustomerFace" ? "details" : "journey"]: { contentType: "application/json" },
  customerFace: { contentType: "image/jpeg, image/png" }
})

const success = (
  operation: Operation,
  endpoint: HttpApiEndpoint.Top,
  status: number,
  response: OpenApi.OpenApiSpecResponse
) => {
  const answer = answerAt(endpoint, status)
  const isRepeatable = operation.parameters.some(({ name }) => name === "Idempotency-Key")
  const isReplay = status === 200 && isRepeatable && needsApiKey(operation)
  const isEvent = operation.operationId === "getEvent"
  return {
    ...response,
    description: answer?.description ?? response.description,
    headers: {
      ...headersOf(status, needsApiKey(operation)),
      ...(isReplay ? headersOfReplay : {}),
      ...(isEvent ? headersOfEvent : {})
    },
    content: withExamples(response, answer === undefined ? {} : inEnvelopes(answer))
  }
}

/** The examples of a success, each in the envelope. */
const inEnvelopes = ({ examples, message: usual }: DescribedAnswer) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, { message = usual, summary, value }]) => [
      name,
      { summary, value: { success: true, data: value, message, errors: null } }
    ])
  )

const failure = (
  operation: Operation,
  endpoint: HttpApiEndpoint.Top,
  status: number,
  response: OpenApi.OpenApiSpecResponse
) => {
  const given = codesOfEndpoint(endpoint)
  const codes = errorCodes.filter((code) => given.includes(code) && errorCatalogue[code].status === status)
  return {
    ...response,
    description: meaningsOf(codes),
    headers: headersOf(status, needsApiKey(operation)),
    content: withExamples(response, examplesOf(codes))
  }
}

const needsApiKey = ({ security }: Operation): boolean => security.some((needed) => "apiKey" in needed)

const examplesOf = (codes: ReadonlyArray<ErrorCode>) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))

const withExamples = (response: OpenApi.OpenApiSpecResponse, examples: object) =>
  Object.fromEntries(
    Object.entries(response.content ?? {}).map(([type, media]) => [
      type,
      { ...media, schema: opened(media.schema as JsonSchemas), examples }
    ])
  )

const refusedBefore = {
  description: [
    "Refused before the request found this operation, or while its bytes still arrived. The status is the code's:",
    "",
    ...refusalsOfAnyRequest.map((code) => `- ${errorCatalogue[code].status} ${meaningsOf([code]).slice(2)}`)
  ].join("\n"),
  headers: headersOfAnyRequest,
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Failure" },
      examples: examplesOf(refusalsOfAnyRequest)
    }
  }
}
