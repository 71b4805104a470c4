/**
 * What the client packages are made from: the operations of a public (integrators, or who may use the settings API), the schemas that
 * they use, and the error codes, read out of the finished OpenAPI documents. It names no operation, so a new one is in the next package by
 * itself. How a language writes this down is in the files beside it.
 */
import { openApiFor } from "../../../http/api/contract.ts"
import { nameOf } from "../../../http/documents/eventBodies.ts"
import { reachable, type JsonSchema, type JsonSchemas } from "../../../http/documents/jsonSchemas.ts"
import { eventTypes } from "../../../schema/journey/events.ts"
import { errorCodes, type ErrorCode } from "../../../schema/problems.ts"

export interface ApiParameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export interface ApiOperation {
  /** `startJourney` */
  readonly name: string
  readonly method: string
  /** `/api/v1/journeys/{journeyId}` */
  readonly path: string
  readonly about: string
  readonly inPath: ReadonlyArray<ApiParameter>
  readonly inQuery: ReadonlyArray<ApiParameter>
  /** Without the Idempotency-Key. */
  readonly inHeader: ReadonlyArray<ApiParameter>
  readonly isKeyed: boolean
  readonly body: ApiBody | null
  /** What stands as `data` in the answer; of a file, its bytes. */
  readonly data: JsonSchema
  /** The answer is a picture or a video. */
  readonly isFile: boolean
  readonly list: ApiList | null
}

export interface ApiBody {
  readonly schemas: ReadonlyArray<JsonSchema>
  readonly required: boolean
  /** Where the body may be a form: the names of its JSON part and of its file. */
  readonly form: { readonly json: string; readonly file: string } | null
}

export interface ApiList {
  /** The parameter that takes `next`. */
  readonly by: "after" | "cursor"
  /** There is always a `next`: the list goes on later. */
  readonly isFollowed: boolean
  /** What the list is of. */
  readonly entry: JsonSchema
}

export interface ApiContract {
  readonly version: string
  readonly operations: ReadonlyArray<ApiOperation>
  readonly schemas: JsonSchemas
  /** The names of the schemas that requests are made of; every other one is open to new values. */
  readonly closed: ReadonlySet<string>
}

interface Parameter extends ApiParameter {
  readonly in: string
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

interface Media {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, unknown>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: JsonSchemas
    readonly responses: Operation["responses"]
  }
}

const keyHeader = "Idempotency-Key"

const resolved = (schema: JsonSchema, schemas: JsonSchemas): JsonSchema => {
  const name = refOf(schema)
  return name === undefined ? schema : resolved(schemas[name] ?? {}, schemas)
}

export const refOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined

export const propertiesOf = ({ properties = {} }: JsonSchema) => properties as JsonSchemas

/** The literal of the member of a union that stands for types to come, as the webhook verifier has it. */
export const laterType = "(a later type)"

/** The member of a union that does not exist yet: it has what every member has in the same way. */
export const laterMemberOf = (choices: ReadonlyArray<JsonSchema>, schemas: JsonSchemas) => {
  const members = choices.map((one) => resolved(one, schemas))
  const shared = Object.entries(propertiesOf(members[0] ?? {})).filter(
    ([name, schema]) =>
      name !== "type" && members.every((one) => JSON.stringify(propertiesOf(one)[name]) === JSON.stringify(schema))
  )
  const isRequired = (name: string) =>
    members.every(({ required = [] }) => (required as ReadonlyArray<string>).includes(name))
  return {
    type: "object",
    description:
      "Of a type that is newer than this package. The literal is a placeholder; at run time the type is another text.",
    properties: { type: { type: "string", enum: [laterType] }, ...Object.fromEntries(shared) },
    required: ["type", ...shared.map(([name]) => name).filter(isRequired)]
  }
}

/** A search whose body says where to go on is no list of this kind: its caller asks for each page. */
const listOf = (data: JsonSchema, inQuery: ReadonlyArray<ApiParameter>, schemas: JsonSchemas): ApiList | null => {
  const { content, next, totalPages } = propertiesOf(resolved(data, schemas))
  const isAsked = (one: string) => inQuery.some(({ name }) => name === one)
  const by = isAsked("cursor") ? "cursor" : "after"
  if (content === undefined || !(next === undefined ? totalPages !== undefined : isAsked(by))) return null
  return { by, isFollowed: next?.["type"] === "string", entry: (content["items"] ?? {}) as JsonSchema }
}

const bodyOf = ({ requestBody }: Operation, schemas: JsonSchemas): ApiBody | null => {
  if (requestBody === undefined) return null
  const form = requestBody.content["multipart/form-data"]
  const parts = form === undefined ? [] : Object.entries(propertiesOf(resolved(form.schema, schemas)))
  const [file] = parts.filter(([, { format }]) => format === "binary").map(([name]) => name)
  const [json] = parts.filter(([, { format }]) => format !== "binary").map(([name]) => name)
  return {
    schemas: Object.values(requestBody.content).map(({ schema }) => schema),
    required: requestBody.required,
    form: file === undefined || json === undefined ? null : { json, file }
  }
}

const dataOf = ({ responses }: Operation, schemas: JsonSchemas): JsonSchema => {
  const found = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith("2")
      ? Object.entries(content).map(([type, { schema }]) =>
          type === "application/json" ? (propertiesOf(resolved(schema, schemas))["data"] ?? {}) : schema
        )
      : []
  )
  const different = [...new Map(found.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? (different[0] ?? {}) : { oneOf: different }
}

const operationOf = (method: string, path: string, operation: Operation, schemas: JsonSchemas): ApiOperation => {
  const placed = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const inQuery = placed("query")
  const data = dataOf(operation, schemas)
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    about: `${operation.summary}\n\n${operation.description}`,
    inPath: placed("path"),
    inQuery,
    inHeader: placed("header").filter(({ name }) => name !== keyHeader),
    isKeyed: placed("header").some(({ name }) => name === keyHeader),
    body: bodyOf(operation, schemas),
    data,
    isFile: data["format"] === "binary",
    list: listOf(data, inQuery, schemas)
  }
}

/** The codes that an operation, or any request, is said to be refused with: the names of the examples. */
const codesIn = (responses: Operation["responses"]): ReadonlyArray<string> =>
  Object.entries(responses)
    .filter(([status]) => !status.startsWith("2"))
    .flatMap(([, { content }]) => Object.keys(content?.["application/json"]?.examples ?? {}))

type Public = "integrators" | "settings"

const documentOf = (reader: Public) => {
  const { components, info, paths } = openApiFor(reader, null) as unknown as Document
  const asked = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation }))
  )
  return { components, info, asked }
}

const codesOf = (reader: Public): ReadonlyArray<string> => {
  const { asked, components } = documentOf(reader)
  return [...asked.flatMap(({ operation }) => codesIn(operation.responses)), ...codesIn(components.responses)]
}

/** The codes of both APIs: the packages have one class for each. */
export const readErrorCodes = (): ReadonlyArray<ErrorCode> => {
  const codes = new Set([...codesOf("integrators"), ...codesOf("settings")])
  return errorCodes.filter((code) => codes.has(code))
}

export const readApiContract = (reader: Public = "integrators"): ApiContract => {
  const {
    asked,
    components: { schemas },
    info
  } = documentOf(reader)
  const operations = asked.map(({ method, operation, path }) => operationOf(method, path, operation, schemas))
  const events = { oneOf: eventTypes.map((type) => ({ $ref: `#/components/schemas/${nameOf(type)}` })) }
  const bodies = operations.flatMap(({ body }) => body?.schemas ?? [])
  const ofWebhooks = reader === "integrators" ? [events] : []
  const used = reachable([bodies, operations.map(({ data }) => data), ...ofWebhooks], schemas)
  return {
    version: info.version,
    operations,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    closed: reachable(bodies, schemas)
  }
}
