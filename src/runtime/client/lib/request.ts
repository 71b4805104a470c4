/**
 * A request as it leaves, made once for all attempts. What cannot be sent is a mistake of the calling program: a TypeError
 * that says what to give, before anything is sent.
 */

/** A request as an operation of the contract wants it. */
export interface AskedRequest {
  readonly method: string
  /** As the contract has it, with the names of its ids in braces. */
  readonly path: string
  readonly inPath?: Readonly<Record<string, string>>
  readonly query?: object
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Sent as a form when the body has the file: the names of the JSON part and of the file. */
  readonly form?: { readonly json: string; readonly file: string }
  readonly isKeyed?: boolean
  /** The answer is a picture or a video. */
  readonly isFile?: boolean
}

export interface ReadyRequest {
  readonly url: string
  readonly isFile: boolean
  readonly init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string | FormData
  }
}

interface Sender {
  readonly baseUrl: string
  readonly token: string
}

export const requestOf = (asked: AskedRequest, key: string | undefined, { baseUrl, token }: Sender): ReadyRequest => {
  const { body, contentType } = contentOf(asked)
  const headers = {
    authorization: `Bearer ${token}`,
    ...sendable({ ...asked.headers, "idempotency-key": key }),
    ...(contentType === undefined ? {} : { "content-type": contentType })
  }
  const init = { method: asked.method, headers, ...(body === undefined ? {} : { body }) }
  return { url: baseUrl + pathOf(asked) + queryOf(asked), isFile: asked.isFile === true, init }
}

const pathOf = ({ inPath = {}, path }: AskedRequest): string =>
  Object.entries(inPath).reduce((text, [name, id]) => text.replace(`{${name}}`, () => segmentOf(name, id)), path)

/** An empty id, `.` and `..` would lead to another path: to the list, whose answer would be taken for the one thing. */
const segmentOf = (name: string, id: unknown): string => {
  if (typeof id !== "string" || ["", ".", ".."].includes(id) || /\p{Surrogate}/u.test(id)) {
    throw new TypeError(`${name} is an id: a text that can stand between two slashes of a path`)
  }
  return encodeURIComponent(id)
}

const queryOf = ({ query = {} }: AskedRequest): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) given.append(name, String(one))
    }
  }
  return given.size === 0 ? "" : `?${given.toString()}`
}

const sendable = (given: Readonly<Record<string, unknown>>): Record<string, string> => {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new TypeError(`The header ${name} takes text in Latin-1, without line breaks and other control characters`)
    }
    values[name] = value
  }
  return values
}

const contentOf = ({ body, form }: AskedRequest): { body?: string | FormData; contentType?: string } => {
  if (body === undefined) return {}
  const parts = body as Readonly<Record<string, unknown>>
  if (form === undefined || parts[form.file] === undefined) {
    return { body: JSON.stringify(body), contentType: "application/json" }
  }
  const content = new FormData()
  content.set(form.json, new Blob([JSON.stringify(parts[form.json])], { type: "application/json" }))
  content.set(form.file, fileOf(form, parts[form.file]), "photo")
  return { body: content }
}

const fileOf = ({ file, json }: NonNullable<AskedRequest["form"]>, given: unknown): Blob => {
  if (given instanceof Blob) return given
  if (given instanceof ArrayBuffer) return new Blob([given])
  if (ArrayBuffer.isView(given)) return new Blob([new Uint8Array(given.buffer, given.byteOffset, given.byteLength)])
  const photo = "the photo itself: a Blob, or its bytes as a Buffer or another Uint8Array"
  throw new TypeError(`${file} is ${photo}. The JSON of the request goes beside it, as ${json}`)
}
