/**
 * Finishes the document that Effect generates from the contract. `HttpApi` gives paths, parameters, bodies and schemas;
 * headers of answers, examples, the meaning of each error code, multipart encodings and webhooks are added here from the
 * tables beside this file. Pure: the same contract gives the same document.
 */
import { Schema } from "effect"
import type { OpenApi } from "effect/http-api"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../schema/problems.ts"
import { IdempotencyKey, JourneyQuery, PageQuery } from "../../schema/parameters.ts"
import { callbackAnswers, callbackRequests } from "./callbackContract.ts"
import { answerHeaders, headersOf, headersOfAnyRequest, headersOfEvent, headersOfReplay } from "./answerHeaders.ts"
import { eventAnswers } from "./eventContract.ts"
import type { Answers, Requests } from "./exampleAnswer.ts"
import { failureExamples, meaningsOf } from "./failureExamples.ts"
import { journeyAnswers } from "./journeyAnswers.ts"
import { journeyRequests } from "./journeyRequests.ts"
import { opened, reachable, tidied, type JsonSchema, type JsonSchemas } from "./jsonSchemas.ts"
import { aboutWebhooks } from "./prose.ts"
import { refusals, refusalsOfAnyRequest } from "./refusals.ts"
import { settingsAnswers, settingsRequests } from "./settingsExamples.ts"
import { teamAnswers, teamRequests } from "./teamExamples.ts"
import { webhookAnswers, webhookRequests } from "./webhookExamples.ts"
import { eventParameters, webhooks } from "./webhooks.ts"

const answers: Answers = {
  ...journeyAnswers,
  ...eventAnswers,
  ...settingsAnswers,
  ...teamAnswers,
  ...webhookAnswers,
  ...callbackAnswers
}
const requests: Requests = {
  ...journeyRequests,
  ...settingsRequests,
  ...teamRequests,
  ...webhookRequests,
  ...callbackRequests
}

type Operation = OpenApi.OpenAPISpecOperation

export const completed = (generated: Record<string, unknown>): Record<string, unknown> => {
  const spec = generated as unknown as OpenApi.OpenAPISpec
  const schemas = spec.components.schemas as JsonSchemas
  const paths = Object.fromEntries(
    Object.entries(spec.paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, finished(operation as Operation)]))
    ])
  )
  const bodies = Object.values(spec.paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as Operation).requestBody)
  )
  return {
    ...spec,
    tags: [...spec.tags, { name: "Webhooks", description: aboutWebhooks }],
    paths,
    webhooks,
    components: {
      ...spec.components,
      securitySchemes: Object.fromEntries(Object.entries(spec.components.securitySchemes).map(inLowerCase)),
      schemas: tidied(schemas, reachable(bodies, schemas)),
      headers: answerHeaders,
      parameters: eventParameters,
      examples: failureExamples(codesAnswered),
      responses: { AnyRequest: refusedBefore }
    }
  }
}

const finished = (operation: Operation) => ({
  ...operation,
  parameters: operation.parameters.map(explained),
  ...(operation.requestBody === undefined ? {} : { requestBody: requestBody(operation, operation.requestBody) }),
  responses: {
    ...Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        Number(status) < 400
          ? success(operation, Number(status), response)
          : failure(operation, Number(status), response)
      ])
    ),
    default: { $ref: "#/components/responses/AnyRequest" }
  }
})

/** Names of schemes have no case, yet Scalar knows only "bearer". */
const inLowerCase = ([name, scheme]: readonly [string, OpenApi.OpenAPISecurityScheme]) =>
  [name, scheme.type === "http" ? { ...scheme, scheme: scheme.scheme.toLowerCase() } : scheme] as const

/** On the wire a parameter is text; what the text must say is its schema's. */
const explained = (parameter: OpenApi.OpenAPISpecParameter) => {
  const generated: JsonSchema = { ...parameter.schema }
  const declared = declaredParameters[parameter.name]
  const { description, ...schema } = declared === undefined ? generated : Schema.toJsonSchemaDocument(declared).schema
  return { ...parameter, schema, description: generated["description"] ?? description }
}

/** Of these the generator tells the type as text, or not every rule. Each means the same wherever it stands. */
const declaredParameters: Readonly<Record<string, Schema.Top>> = {
  ...PageQuery.fields,
  externalReference: JourneyQuery.fields.externalReference,
  "Idempotency-Key": IdempotencyKey
}

const requestBody = ({ operationId }: Operation, body: OpenApi.OpenAPISpecRequestBody) => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).map(([type, media]) => [
      type,
      {
        ...media,
        examples: requests[operationId]?.[type] ?? {},
        ...(type === "multipart/form-data" ? { encoding: photoEncoding(operationId) } : {})
      }
    ])
  )
})

/** The two parts of a form: the JSON one has another name where it does not start a journey. */
const photoEncoding = (operationId: string) => ({
  [operationId === "startJourney" ? "journey" : "details"]: { contentType: "application/json" },
  customerFace: { contentType: "image/jpeg, image/png" }
})

const success = (operation: Operation, status: number, response: OpenApi.OpenApiSpecResponse) => {
  const answer = answers[operation.operationId]?.[status]
  const isReplay = operation.operationId === "startJourney" && status === 200
  const isEvent = operation.operationId === "getEvent"
  return {
    ...response,
    description: answer?.description ?? response.description,
    headers: {
      ...headersOf(status, needsApiKey(operation)),
      ...(isReplay ? headersOfReplay : {}),
      ...(isEvent ? headersOfEvent : {})
    },
    content: withExamples(response, answer?.examples ?? {})
  }
}

const failure = (operation: Operation, status: number, response: OpenApi.OpenApiSpecResponse) => {
  const codes = codesOf(operation.operationId, status)
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

const codesAnswered: ReadonlyArray<ErrorCode> = [...Object.values(refusals).flat(), ...refusalsOfAnyRequest]

/** The codes of an operation at a status, in the order of the catalogue. */
const codesOf = (operationId: string, status: number): ReadonlyArray<ErrorCode> => {
  const codes: ReadonlyArray<ErrorCode> = refusals[operationId as keyof typeof refusals]
  return errorCodes.filter((code) => codes.includes(code) && errorCatalogue[code].status === status)
}

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
