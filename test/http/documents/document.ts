/** The OpenAPI documents as the tests walk through them. Not a test itself. */
import { openApiFor, type Public } from "../../../src/http/api/contract.ts"

export interface Media {
  readonly schema: { readonly $ref?: string }
  readonly examples: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
  readonly encoding?: unknown
}

export interface Response {
  readonly $ref?: string
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly description: string
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly $ref?: string
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Readonly<Record<string, unknown>>
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export interface JsonSchema {
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly oneOf?: ReadonlyArray<{ readonly $ref: string }>
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly required?: ReadonlyArray<string>
  readonly maxLength?: number
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
    readonly headers: Readonly<Record<string, unknown>>
    readonly parameters: Readonly<Record<string, { readonly schema: { readonly pattern?: string } }>>
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly scheme: string }>>
  }
}

const documentFor = (name: Public) => openApiFor(name, null) as unknown as OpenApiDocument

export const documents: Readonly<Record<Public, OpenApiDocument>> = {
  integrators: documentFor("integrators"),
  settings: documentFor("settings"),
  callbacks: documentFor("callbacks")
}

/** The document for integrators, which has the webhooks. */
export const document = documents.integrators

export const webhooks = document.webhooks ?? {}

export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const operationsIn = ({ paths }: OpenApiDocument): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

/** Of all documents. */
export const operations = Object.values(documents).flatMap(operationsIn)

export const operationOf = (operationId: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) throw new Error(`no operation ${operationId}`)
  return found.operation
}

/** A response of an operation, the default one where the status has none. */
export const responseOf = (operation: Operation, status: number | string): Response => {
  const response = operation.responses[status] ?? operation.responses["default"]
  if (response === undefined) throw new Error(`${operation.operationId} has no response ${status}`)
  const name = response.$ref?.replace("#/components/responses/", "")
  const found = name === undefined ? response : document.components.responses[name]
  if (found === undefined) throw new Error(`no response ${name}`)
  return found
}

/** The codes an operation is said to answer with at a status: the names of its examples. */
export const codesAt = (operation: Operation, status: number | string): ReadonlyArray<string> =>
  Object.keys(responseOf(operation, status).content["application/json"]?.examples ?? {})
