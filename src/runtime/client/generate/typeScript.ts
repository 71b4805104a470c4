/**
 * A contract as TypeScript: a type for each schema, a class for each error code, and a client with a method for each operation. Values of answers are open: a type that lists them takes others too, and a union told apart by `type` has one
 * more member for types to come. Printed when the package is made; nothing of it is kept in the tree.
 */
import {
  laterMemberOf,
  propertiesOf,
  refOf,
  type ApiContract,
  type ApiOperation,
  type ApiParameter
} from "./apiContract.ts"
import type { JsonSchema } from "../../../http/documents/jsonSchemas.ts"
import { errorCatalogue, type ErrorCode } from "../../../schema/problems.ts"

export const classNameOf = (code: string): string =>
  `${code
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .replace(/Error$/, "")}Error`

/** `404 JOURNEY_NOT_FOUND: ...` */
export const errorInWords = (code: ErrorCode): string =>
  `${errorCatalogue[code].status} ${code}: ${errorCatalogue[code].meaning}`

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** `sandboxClock` of `Sandbox-Clock`. */
const optionOf = (header: string): string => {
  const [first = "", ...rest] = header.toLowerCase().split("-")
  return first + rest.map(pascal).join("")
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const comment = (text: unknown, indent: string): string => {
  if (typeof text !== "string" || text === "") return ""
  const lines = text.replaceAll("*/", "* /").split("\n")
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

const simple: Readonly<Record<string, string>> = {
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null"
}

/** The type of a schema. `isOpen` says that an answer holds it, which may have values that nobody knows yet. */
const typeOf = (schema: JsonSchema, isOpen: boolean, indent = ""): string => {
  const name = refOf(schema)
  if (name !== undefined) return name
  const choices = (schema["oneOf"] ?? schema["anyOf"]) as ReadonlyArray<JsonSchema> | undefined
  if (choices !== undefined) return union(choices.map((one) => typeOf(one, isOpen, indent)))
  const values = schema["enum"] as ReadonlyArray<unknown> | undefined
  if (values !== undefined) {
    const texts = values.filter((value) => typeof value === "string")
    const isGrowing = isOpen && texts.length > 1
    return union([...values.map((value) => JSON.stringify(value)), ...(isGrowing ? ["(string & {})"] : [])])
  }
  const { type } = schema
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one as unknown }, isOpen, indent)))
  if (type === "array") return `ReadonlyArray<${typeOf((schema["items"] ?? {}) as JsonSchema, isOpen, indent)}>`
  if (type === "string") return schema["format"] === "binary" ? (isOpen ? "Blob" : "Blob | Uint8Array") : "string"
  if (type === "object") return objectType(schema, isOpen, indent)
  return simple[String(type)] ?? "unknown"
}

const objectType = (schema: JsonSchema, isOpen: boolean, indent: string): string => {
  const members = membersOf(schema, isOpen, `${indent}  `)
  if (members !== "") return `{\n${members}${indent}}`
  const others = schema["additionalProperties"]
  const isMap = typeof others === "object" && others !== null
  return `{ readonly [name: string]: ${isMap ? typeOf(others as JsonSchema, isOpen, indent) : "unknown"} }`
}

const membersOf = (schema: JsonSchema, isOpen: boolean, indent: string): string => {
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  return Object.entries(propertiesOf(schema))
    .map(([name, property]) => {
      const type = typeOf(property, isOpen, indent)
      // A caller may write `undefined` for what it leaves out; an answer never holds it.
      const [mark, other] = required.includes(name) ? ["", ""] : ["?", isOpen ? "" : " | undefined"]
      return `${comment(property["description"], indent)}${indent}readonly ${keyOf(name)}${mark}: ${type}${other}\n`
    })
    .join("")
}

const declared = (name: string, schema: JsonSchema, contract: ApiContract): string => {
  const isOpen = !contract.closed.has(name)
  const about = comment(schema["description"], "")
  const choices = schema["oneOf"] as ReadonlyArray<JsonSchema> | undefined
  if (choices !== undefined && isOpen && schema["discriminator"] !== undefined) {
    const later = laterMemberOf(choices, contract.schemas)
    const heading = comment(`${later.description} The \`default\` of a \`switch\`.`, "")
    const union = `${about}export type ${name} = ${typeOf(schema, true)} | Later${name}\n`
    return `${union}\n${heading}export interface Later${name} {\n${membersOf(later, true, "  ")}}\n`
  }
  const members = schema["type"] === "object" ? membersOf(schema, isOpen, "  ") : ""
  if (members !== "") return `${about}export interface ${name} {\n${members}}\n`
  return `${about}export type ${name} = ${typeOf(schema, isOpen)}\n`
}

const queryName = ({ name }: ApiOperation): string => `${pascal(name)}Query`

const queryOf = (operation: ApiOperation): string => {
  const members = operation.inQuery.map(({ description, name, required, schema }: ApiParameter) => {
    const type = `${typeOf(schema, false, "  ")}${required ? "" : " | undefined"}`
    return `${comment(description, "  ")}  readonly ${keyOf(name)}${required ? "" : "?"}: ${type}\n`
  })
  return `export interface ${queryName(operation)} {\n${members.join("")}}\n`
}

/** Every type of the contract, and that of the codes. */
export const typeScriptTypesOf = (contract: ApiContract): string =>
  [
    "/** The types of the Journeys API, made from its contract. */",
    'export type { ErrorCode } from "./problems.ts"\n',
    ...Object.entries(contract.schemas).map(([name, schema]) => declared(name, schema, contract)),
    ...contract.operations.filter(({ inQuery }) => inQuery.length > 0).map(queryOf)
  ].join("\n")

/** The module of the error codes. It has the name of the service's own, whose type `lib/errors.ts` takes. */
export const typeScriptErrorsOf = (codes: ReadonlyArray<ErrorCode>): string =>
  [
    "/** The error codes of the Journeys API and of its settings, made from the contract: a class for each. */",
    'import { ApiError, type RefusedRequest } from "./errors.ts"\n',
    "/** The codes that there are today. New ones may come. */",
    `export type ErrorCode = ${union(codes.map((code) => JSON.stringify(code)))}\n`,
    ...codes.map((code) =>
      [
        `${comment(errorInWords(code), "")}export class ${classNameOf(code)} extends ApiError {`,
        `  declare readonly code: ${JSON.stringify(code)}`,
        "}\n"
      ].join("\n")
    ),
    "export const errorClasses: Readonly<Record<string, new (refusal: RefusedRequest) => ApiError>> = {",
    codes.map((code) => `  ${code}: ${classNameOf(code)}`).join(",\n"),
    "}\n"
  ].join("\n")

const optionsOf = ({ inHeader, isKeyed }: ApiOperation): string => {
  const own = inHeader.map(
    ({ name, required }) => `readonly ${optionOf(name)}${required ? "" : "?"}: string${required ? "" : " | undefined"}`
  )
  const base = isKeyed ? "KeyedCallOptions" : "CallOptions"
  return own.length === 0 ? base : `${base} & { ${own.join("; ")} }`
}

const requestOf = ({ body, inHeader, inPath, isFile, isKeyed, method, path }: ApiOperation): string => {
  const headers = inHeader.map(({ name }) => `${JSON.stringify(name)}: options.${optionOf(name)}`)
  return [
    `method: "${method}"`,
    `path: "${path}"`,
    ...(inPath.length === 0 ? [] : [`inPath: { ${inPath.map(({ name }) => name).join(", ")} }`]),
    ...(body === null ? [] : ["body"]),
    ...(body?.form ? [`form: ${JSON.stringify(body.form)}`] : []),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(isKeyed ? ["isKeyed: true"] : []),
    ...(isFile ? ["isFile: true"] : [])
  ].join(", ")
}

const methodOf = (operation: ApiOperation): string => {
  const { body, inHeader, inPath, inQuery, list, name } = operation
  const isQueryNeeded = inQuery.some(({ required }) => required)
  const parameters = [
    // What an answer has named can be asked for, also a name to come.
    ...inPath.map((parameter) => `${parameter.name}: ${typeOf(parameter.schema, true)}`),
    ...(body === null
      ? []
      : [`body${body.required ? "" : "?"}: ${union(body.schemas.map((one) => typeOf(one, false)))}`]),
    ...(inQuery.length === 0 ? [] : [`query: ${queryName(operation)}${isQueryNeeded ? "" : " = {}"}`]),
    `options: ${optionsOf(operation)}${inHeader.some(({ required }) => required) ? "" : " = {}"}`
  ].join(", ")
  const data = typeOf(operation.data, true)
  const request = requestOf(operation)
  const head = comment(operation.about, "  ")
  if (list === null) {
    const query = inQuery.length === 0 ? "" : ", query"
    return `${head}  ${name}(${parameters}): Promise<${data}> {\n    return this.#transport.call({ ${request}${query} }, options)\n  }\n`
  }
  const kind = list.isFollowed ? "FollowedListing" : "Listing"
  return [
    `${head}  ${name}(${parameters}): ${kind}<${data}> {`,
    `    return new ${kind}({`,
    `      ask: (turn) => this.#transport.call<${data}>({ ${request}, query: { ...query, ...turn } }, options),`,
    `      from: { ${list.by}: ${inQuery.some((one) => one.name === list.by) ? `query.${list.by}` : "undefined"} },`,
    `      by: "${list.by}",`,
    "      signal: options.signal",
    "    })\n  }\n"
  ].join("\n")
}

/** What both modules of clients give beside their client: `types` has the contract's. */
const shared = (types: string, codes: ReadonlyArray<ErrorCode>): ReadonlyArray<string> => [
  `export * from "./${types}.ts"`,
  'export * from "./errors.ts"',
  `export { ${codes.map(classNameOf).join(", ")} } from "./problems.ts"`,
  'export { FollowedListing, Listing, type AnyPage, type EntryOf } from "./Listing.ts"',
  'export type { AnswerDetails } from "./answers.ts"'
]

const clientOf = (contract: ApiContract, name: string, options: string): ReadonlyArray<string> => [
  `export class ${name} {`,
  "  readonly #transport: Transport\n",
  `  constructor(options: ${options}) {`,
  "    this.#transport = new Transport(options, (code) => errorClasses[code])",
  "  }\n",
  ...contract.operations.map(methodOf),
  "}\n"
]

/** The module that callers import: the client, its errors, and everything beside it. */
export const typeScriptClientOf = (contract: ApiContract, codes: ReadonlyArray<ErrorCode>): string =>
  [
    `/** The Journeys API ${contract.version} for callers: made from its contract. */`,
    `import type { ${[...new Set(["Event", ...namesUsed(contract)])].join(", ")} } from "./contract.ts"`,
    'import { errorClasses } from "./problems.ts"',
    'import { FollowedListing, Listing } from "./Listing.ts"',
    'import type { CallOptions, ClientOptions, KeyedCallOptions } from "./options.ts"',
    'import { Transport } from "./Transport.ts"',
    'import { verifyWebhook as verify, type WebhookDelivery } from "./verifier.js"\n',
    ...shared("contract", codes),
    'export type { CallOptions, ClientOptions, KeyedCallOptions } from "./options.ts"',
    'export { defaultToleranceSeconds, journeyIdOf, verifySignature, WebhookVerificationError } from "./verifier.js"',
    'export type { ReceivedHeaders, WebhookDelivery, WebhookVerificationReason } from "./verifier.js"\n',
    "/** Verifies a delivery and returns its event; throws WebhookVerificationError if it is not genuine, or not recent. */",
    "export const verifyWebhook: (delivery: WebhookDelivery) => Event = verify as (delivery: WebhookDelivery) => never\n",
    "/** Asks the Journeys API. One client serves a whole program. */",
    ...clientOf(contract, "JourneysClient", "ClientOptions")
  ].join("\n")

/** The module for programs of whoever runs the service, with types of its own: an answer there may have more members. */
export const typeScriptSettingsOf = (contract: ApiContract, codes: ReadonlyArray<ErrorCode>): string =>
  [
    `/** The settings of a Journeys service, API ${contract.version}, for its operator's programs: made from its contract. */`,
    `import type { ${namesUsed(contract).join(", ")} } from "./settingsContract.ts"`,
    'import { errorClasses } from "./problems.ts"',
    'import { Listing } from "./Listing.ts"',
    'import type { CallOptions, KeyedCallOptions, SettingsOptions } from "./options.ts"',
    'import { Transport } from "./Transport.ts"\n',
    ...shared("settingsContract", codes),
    'export type { CallOptions, KeyedCallOptions, SettingsOptions } from "./options.ts"\n',
    "/** Asks the settings API, with a token of the operator. One client serves a whole program. */",
    ...clientOf(contract, "SettingsClient", "SettingsOptions")
  ].join("\n")

/** The names of the contract that the methods speak of. */
const namesUsed = (contract: ApiContract): ReadonlyArray<string> => {
  const types = contract.operations.flatMap((operation) => [
    typeOf(operation.data, true),
    ...(operation.body?.schemas ?? []).map((one) => typeOf(one, false)),
    ...(operation.inQuery.length > 0 ? [queryName(operation)] : [])
  ])
  return [...new Set(types.flatMap((type) => type.match(/\b[A-Z]\w*\b/g) ?? []))].filter(
    (name) => name in contract.schemas || name.endsWith("Query")
  )
}
