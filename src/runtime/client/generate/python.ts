/**
 * A contract as Python: a TypedDict for each schema, an exception for each error code, and a client with a method for each operation. The same rules as in TypeScript: answers are open to values and types to come. Python 3.9 reads it.
 */
import type { JsonSchema } from "../../../http/documents/jsonSchemas.ts"
import {
  laterMemberOf,
  propertiesOf,
  refOf,
  type ApiContract,
  type ApiOperation,
  type ApiParameter
} from "./apiContract.ts"
import type { ErrorCode } from "../../../schema/problems.ts"
import { classNameOf, errorInWords } from "./typeScript.ts"

/** Words that cannot be the name of a member of a class or of a parameter. */
const keywords =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.test(name)

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** `journey_id` of `journeyId` and of `Journey-Id`. */
export const snake = (name: string): string => {
  const text = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase()
  return isName(text) ? text : `${text}_`
}

const simple: Readonly<Record<string, string>> = { integer: "int", number: "float", boolean: "bool", null: "None" }

const union = (members: ReadonlyArray<string>): string => {
  const [first = "Any", ...rest] = [...new Set(members)]
  return rest.length === 0 ? first : `Union[${[first, ...rest].join(", ")}]`
}

const literal = (value: unknown): string => {
  if (value === null) return "None"
  return typeof value === "boolean" ? pascal(String(value)) : JSON.stringify(value)
}

/** Writes classes as it finds objects inside of objects; each gets a name from its place. */
class Writer {
  readonly classes: Array<string> = []
  readonly #contract: ApiContract
  readonly #reference: (name: string) => string

  constructor(contract: ApiContract, reference: (name: string) => string = (name) => JSON.stringify(name)) {
    this.#contract = contract
    this.#reference = reference
  }

  typeOf(schema: JsonSchema, place: string, isOpen: boolean): string {
    const name = refOf(schema)
    if (name !== undefined) return this.#reference(name)
    const choices = (schema["oneOf"] ?? schema["anyOf"]) as ReadonlyArray<JsonSchema> | undefined
    if (choices !== undefined) return union(choices.map((one, at) => this.typeOf(one, `${place}${at + 1}`, isOpen)))
    const values = schema["enum"] as ReadonlyArray<unknown> | undefined
    if (values !== undefined) {
      const listed = `Literal[${values.map(literal).join(", ")}]`
      return isOpen && values.length > 1 ? `Union[${listed}, str]` : listed
    }
    const { type } = schema
    if (Array.isArray(type)) {
      return union(type.map((one) => this.typeOf({ ...schema, type: one as unknown }, place, isOpen)))
    }
    if (type === "array") return `List[${this.typeOf((schema["items"] ?? {}) as JsonSchema, `${place}Entry`, isOpen)}]`
    if (type === "string") return schema["format"] === "binary" ? "bytes" : "str"
    if (type !== "object") return simple[String(type)] ?? "Any"
    if (Object.keys(propertiesOf(schema)).length === 0) return "Dict[str, Any]"
    this.declare(place, schema, isOpen)
    return JSON.stringify(place)
  }

  declare(name: string, schema: JsonSchema, isOpen: boolean = !this.#contract.closed.has(name)): void {
    const properties = Object.entries(propertiesOf(schema))
    if (schema["type"] !== "object" || properties.length === 0) {
      const later = schema["discriminator"] !== undefined && isOpen ? [`"Later${name}"`] : []
      const type = this.typeOf(schema, `${name}Value`, isOpen)
      this.classes.push(`${name} = ${later.length === 0 ? type : `Union[${[type, ...later].join(", ")}]`}\n`)
      if (later.length > 0) this.#declareLater(name, (schema["oneOf"] ?? []) as ReadonlyArray<JsonSchema>)
      return
    }
    const required = (schema["required"] ?? []) as ReadonlyArray<string>
    const members = properties.map(([property, value]) => ({
      property,
      type: this.typeOf(value, `${name}${pascal(property)}`, isOpen),
      about: value["description"],
      isRequired: required.includes(property)
    }))
    if (!properties.every(([property]) => isName(property))) {
      const entries = members.map(({ property, type }) => `${JSON.stringify(property)}: ${type}`)
      this.classes.push(`${name} = TypedDict(${JSON.stringify(name)}, {${entries.join(", ")}}, total=False)\n`)
      return
    }
    const own = members.filter(({ isRequired }) => isRequired)
    const optional = members.filter(({ isRequired }) => !isRequired)
    if (own.length > 0 && optional.length > 0) this.classes.push(classOf(`${name}Required`, "TypedDict", "", own))
    const about = docString(schema["description"])
    if (optional.length === 0) this.classes.push(classOf(name, "TypedDict", about, own))
    else {
      const base = own.length === 0 ? "TypedDict" : `${name}Required`
      this.classes.push(classOf(name, `${base}, total=False`, about, optional))
    }
  }

  #declareLater(name: string, choices: ReadonlyArray<JsonSchema>): void {
    const later = laterMemberOf(choices, this.#contract.schemas)
    this.declare(`Later${name}`, { ...later, description: `${later.description} The last \`else\`.` })
  }
}

interface Member {
  readonly property: string
  readonly type: string
  readonly about: unknown
}

const docString = (text: unknown, indent = "    "): string =>
  typeof text === "string" && text !== ""
    ? `${indent}"""${text
        .replaceAll("\\", "\\\\")
        .replaceAll('"""', "'''")
        .replaceAll("\n", `\n${indent}`)
        .replaceAll(/[ \t]+$/gm, "")}"""\n`
    : ""

const remark = (text: unknown): string =>
  typeof text === "string"
    ? text
        .split("\n")
        .map((line) => `    # ${line}`.trimEnd())
        .join("\n") + "\n"
    : ""

const classOf = (name: string, base: string, about: string, members: ReadonlyArray<Member>): string =>
  `class ${name}(${base}):\n${about}${members.map(({ about: why, property, type }) => `${remark(why)}    ${property}: ${type}\n`).join("")}`

/** The module of types, and of the codes' type. */
export const pythonTypesOf = (contract: ApiContract): string => {
  const writer = new Writer(contract)
  for (const [name, schema] of Object.entries(contract.schemas)) writer.declare(name, schema)
  return [
    '"""The types of the Journeys API, made from its contract."""',
    "from __future__ import annotations\n",
    "from typing import Any, Dict, List, Literal, TypedDict, Union\n",
    "from .problems import ErrorCode as ErrorCode\n\n",
    writer.classes.join("\n\n"),
    ""
  ].join("\n")
}

/** The module of the error codes of both APIs: an exception for each. */
export const pythonErrorsOf = (codes: ReadonlyArray<ErrorCode>): string =>
  [
    '"""The error codes of the Journeys API and of its settings, made from the contract: an exception for each."""',
    "from __future__ import annotations\n",
    "from typing import Literal\n",
    "from .errors import ApiError\n",
    "# The codes that there are today. New ones may come.",
    `ErrorCode = Literal[${codes.map(literal).join(", ")}]\n\n`,
    [
      ...codes.map((code) => `class ${classNameOf(code)}(ApiError):\n${docString(errorInWords(code))}`),
      `ERROR_CLASSES = {\n${codes.map((code) => `    "${code}": ${classNameOf(code)},`).join("\n")}\n}\n`
    ].join("\n\n")
  ].join("\n")

const parametersOf = ({ body, inHeader, inPath, inQuery, isKeyed }: ApiOperation, writer: Writer): string => {
  const named = ({ name, required, schema }: ApiParameter) => {
    const type = writer.typeOf(schema, "", false)
    return required ? `${snake(name)}: ${type}` : `${snake(name)}: Optional[${type}] = None`
  }
  const bodyType = body === null ? "" : union(body.schemas.map((one) => writer.typeOf(one, "", false)))
  const keywordsOnly = [
    ...inQuery.toSorted((a, b) => Number(b.required) - Number(a.required)).map(named),
    ...inHeader.map(named),
    ...(isKeyed ? ["idempotency_key: Optional[str] = None"] : []),
    "timeout: Optional[float] = None",
    "retries: Optional[int] = None",
    "on_answer: Optional[Callable[[AnswerDetails], None]] = None"
  ]
  return [
    "self",
    // What an answer has named can be asked for, also a name to come.
    ...inPath.map(({ name, schema }) => `${snake(name)}: ${writer.typeOf(schema, "", true)}`),
    ...(body === null ? [] : [body.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`]),
    "*",
    ...keywordsOnly
  ].join(", ")
}

const methodOf = (operation: ApiOperation, contract: ApiContract, types: string): string => {
  const { about, body, inHeader, inPath, inQuery, isFile, isKeyed, list, method, name, path } = operation
  const writer = new Writer(contract, (one) => `${types}.${one}`)
  const data = writer.typeOf(operation.data, "", true)
  const filled = inPath.reduce((text, part) => text.replace(`{${part.name}}`, `{${snake(part.name)}}`), path)
  const ids = inPath.map((part) => `"${snake(part.name)}": ${snake(part.name)}`)
  const request = [
    `"${method}"`,
    `"${filled}"`,
    ...(ids.length === 0 ? [] : [`in_path={${ids.join(", ")}}`]),
    ...(body === null ? [] : ["body=body"]),
    ...(body?.form ? [`form=(${JSON.stringify(body.form.json)}, ${JSON.stringify(body.form.file)})`] : []),
    ...(inHeader.length === 0
      ? []
      : [`headers={${inHeader.map((one) => `"${one.name}": ${snake(one.name)}`).join(", ")}}`]),
    ...(isKeyed ? ["is_keyed=True", "idempotency_key=idempotency_key"] : []),
    ...(isFile ? ["is_file=True"] : []),
    "timeout=timeout, retries=retries, on_answer=on_answer"
  ].join(", ")
  const query = `{${inQuery.map((one) => `"${one.name}": ${snake(one.name)}`).join(", ")}}`
  const head = (result: string) =>
    `    def ${snake(name)}(${parametersOf(operation, writer)}) -> ${result}:\n${docString(about, "        ")}`
  if (list === null) {
    const asked = inQuery.length === 0 ? request : `${request}, query=${query}`
    return `${head(data)}        return self._transport.call(${asked})\n`
  }
  const kind = `Listing[${data}, ${writer.typeOf(list.entry, "", true)}]`
  return `${head(kind)}        query: Dict[str, Any] = ${query}\n        return Listing(lambda turn: self._transport.call(${request}, query={**query, **turn}), query, "${list.by}")\n`
}

interface ClientInWords {
  readonly about: string
  readonly name: string
  /** The module of its types. */
  readonly types: string
  /** The parameter that opens the API. */
  readonly token: string
}

const clientOf = (contract: ApiContract, words: ClientInWords): string => {
  const { about, name, token, types } = words
  return [
    `"""The Journeys API ${contract.version}${about}: made from its contract."""`,
    "from __future__ import annotations\n",
    "from typing import Any, Callable, Dict, List, Literal, Optional, Union\n",
    `from . import ${types}`,
    "from .answers import AnswerDetails",
    "from .listing import Listing",
    "from .problems import ERROR_CLASSES",
    `from .request import judged_${token}`,
    "from .transport import Transport\n\n",
    `class ${name}:`,
    `    """Asks the Journeys API${about}. One client serves a whole program, also from several threads."""\n`,
    `    def __init__(self, base_url: str, ${token}: str, *, timeout: float = 30.0, retries: int = 5) -> None:`,
    `        self._transport = Transport(base_url, judged_${token}(${token}), timeout, retries, ERROR_CLASSES)\n`,
    ...contract.operations.map((one) => methodOf(one, contract, types))
  ].join("\n")
}

/** The module with the client of callers. */
export const pythonClientOf = (contract: ApiContract): string =>
  clientOf(contract, { about: " for callers", name: "JourneysClient", types: "contract", token: "api_key" })

/** The module for programs of whoever runs the service. */
export const pythonSettingsOf = (contract: ApiContract): string =>
  clientOf(contract, {
    about: " of settings, for programs of the operator",
    name: "SettingsClient",
    types: "settings_contract",
    token: "operator_token"
  })
