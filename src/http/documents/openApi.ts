/**
 * Finishes the document that Effect generates from the contract. `HttpApi` gives paths, parameters, bodies and schemas;
 * headers of answers, examples, the meaning of each error code, multipart encodings and webhooks are added here from the
 * tables beside this file. Pure: the same contract gives the same document.
 */
import { Schema } from "effect"
import type { OpenApi } from "effect/http-api"
import { errorCatalogue, errorCodes, type ErrorCode } from "../../schema/errorCatalogue.ts"
import { IdempotencyKey, ListQuery } from "../../schema/parameters.ts"
import { largestPhotoBytes } from "../../schema/start/rules.ts"
import { answerHeaders, headersOf, headersOfAnyRequest } from "./answerHeaders.ts"
import { answers } from "./answerExamples.ts"
import { failureExamples, meaningsOf } from "./failureExamples.ts"
import { opened, reachable, tidied, type JsonSchema, type JsonSchemas } from "./jsonSchemas.ts"
import { aboutWebhooks } from "./prose.ts"
import { refusals, refusalsOfAnyRequest } from "./refusals.ts"
import { requestExamples } from "./requestExamples.ts"
import { eventParameters, webhooks } from "./webhooks.ts"

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
      schemas: tidied(schemas, reachable(bodies, schemas)),
      headers: answerHeaders,
      parameters: eventParameters,
      examples: failureExamples,
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
          ? success(operation.operationId, Number(status), response)
          : failure(codesOf(operation.operationId, Number(status)), Number(status), response)
      ])
    ),
    default: { $ref: "#/components/responses/AnyRequest" }
  }
})

/** On the wire a parameter is text; what the text must say is its schema's. */
const explained = (parameter: OpenApi.OpenAPISpecParameter) => {
  const generated: JsonSchema = { ...parameter.schema }
  const declared = declaredParameters[parameter.name]
  const { description, ...schema } = declared === undefined ? generated : Schema.toJsonSchemaDocument(declared).schema
  return { ...parameter, schema, description: generated["description"] ?? description }
}

const declaredParameters: Readonly<Record<string, Schema.Top>> = { ...ListQuery.fields, "Idempotency-Key": IdempotencyKey }

const requestBody = ({ operationId }: Operation, body: OpenApi.OpenAPISpecRequestBody) => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).map(([type, media]) => [
      type,
      {
        ...media,
        examples: requestExamples[operationId]?.[type] ?? {},
        ...(type === "multipart/form-data" ? { encoding: photoEncoding } : {})
      }
    ])
  )
})

const photoEncoding = {
  journey: { contentType: "application/json" },
  customerFace: { contentType: "image/jpeg, image/png" }
}

const success = (operationId: string, status: number, response: OpenApi.OpenApiSpecResponse) => {
  const answer = answers[operationId]?.[status]
  return {
    ...response,
    description: answer?.description ?? response.description,
    headers: headersOf(status, operationId === "startJourney" && status === 200),
    content: withExamples(response, answer?.examples ?? {})
  }
}

const failure = (codes: ReadonlyArray<ErrorCode>, status: number, response: OpenApi.OpenApiSpecResponse) => ({
  ...response,
  description: meaningsOf(codes),
  headers: headersOf(status, false),
  content: withExamples(response, examplesOf(codes))
})

const examplesOf = (codes: ReadonlyArray<ErrorCode>) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))

const withExamples = (response: OpenApi.OpenApiSpecResponse, examples: object) =>
  Object.fromEntries(
    Object.entries(response.content ?? {}).map(([type, media]) => [
      type,
      { ...media, schema: opened(media.schema as JsonSchemas), examples }
    ])
  )

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
void largestPhotoBytes
