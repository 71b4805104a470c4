/**
 * How tests talk to the service over HTTP. `call` sends one proper request and keeps the exact text of the answer.
 * `raw` writes bytes that no client library would write. The tests decide what an answer must look like.
 */
import { connect, type Socket } from "node:net"

export interface FieldError {
  readonly field: string
  readonly code: string
  readonly message: string
}

/** An answer of the service with its exact text. `data` and `errors` are undefined when the text is no envelope. */
export interface Reply {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
  readonly json: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer's data
  readonly data: any
  readonly errors: ReadonlyArray<FieldError>
  /** The code to act on (§2.1), or null on success. */
  readonly code: string | null
}

export interface Request {
  readonly method?: string
  readonly path?: string
  /** The bearer key. Without it there is no Authorization header. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type Base = { readonly baseUrl: string }

const replyOf = (status: number, header: Reply["header"], text: string): Reply => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const envelope = (typeof json === "object" && json !== null ? json : {}) as {
    readonly data?: unknown
    readonly errors?: ReadonlyArray<FieldError> | null
  }
  const errors = envelope.errors ?? []
  return { status, header, text, json, data: envelope.data, errors, code: errors[0]?.code ?? null }
}

const isSentAsIs = (body: unknown): body is string | Uint8Array | ReadableStream | FormData =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream || body instanceof FormData

/**
 * One request. Without a method it is a POST if it has a body. A JSON body is labelled as JSON unless `headers` say
 * otherwise.
 */
export const call = async (
  { baseUrl }: Base,
  { body, headers, key, method, path, signal }: Request
): Promise<Reply> => {
  const asJson = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${baseUrl}${path ?? "/api/v1/journeys"}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(asJson ? { "content-type": "application/json" } : {}),
      ...headers
    },
    ...(body === undefined ? {} : { body: isSentAsIs(body) ? body : JSON.stringify(body), duplex: "half" }),
    ...(signal === undefined ? {} : { signal })
  })
  return replyOf(response.status, (name) => response.headers.get(name), await response.text())
}

let started = 0

/** An Idempotency-Key that nobody has used before. */
export const freshKey = (): string => `key-${process.pid}-${(started += 1).toString().padStart(8, "0")}`

/** A start with a new Idempotency-Key unless one is given. */
export const start = (base: Base, key: string, body: unknown, idempotencyKey: string = freshKey()): Promise<Reply> =>
  call(base, { key, body, method: "POST", headers: { "idempotency-key": idempotencyKey } })

export interface Conversation {
  /** The final answers in the order in which they came. */
  readonly replies: ReadonlyArray<Reply>
  /** The status codes of interim answers, such as 100. */
  readonly interim: ReadonlyArray<number>
  readonly closed: boolean
}

interface Patience {
  /** Stop after this many final answers. */
  readonly answers?: number
  readonly withinMillis?: number
}

/** Reads complete answers from the front of what has arrived. The rest waits for more bytes. */
const readAnswers = (arrived: Buffer, replies: Array<Reply>, interim: Array<number>): Buffer => {
  let rest = arrived
  for (;;) {
    const end = rest.indexOf("\r\n\r\n")
    if (end === -1) return rest
    const [statusLine = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n")
    const status = Number(statusLine.split(" ")[1])
    if (status < 200) {
      interim.push(status)
      rest = rest.subarray(end + 4)
      continue
    }
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    )
    const length = Number(headers.get("content-length") ?? 0)
    if (rest.length < end + 4 + length) return rest
    const text = rest.subarray(end + 4, end + 4 + length).toString("utf8")
    replies.push(replyOf(status, (name) => headers.get(name.toLowerCase()) ?? null, text))
    rest = rest.subarray(end + 4 + length)
  }
}

/** An open connection for bytes of any kind. */
export class RawConnection {
  readonly #socket: Socket
  readonly #replies: Array<Reply> = []
  readonly #interim: Array<number> = []
  #arrived: Buffer = Buffer.alloc(0)
  #closed = false
  #notify: () => void = () => {}

  constructor(base: Base) {
    const { hostname, port } = new URL(base.baseUrl)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on("data", (chunk) => {
      this.#arrived = readAnswers(Buffer.concat([this.#arrived, chunk]), this.#replies, this.#interim)
      this.#notify()
    })
    // A reset looks like a close. Tests ask whether the answer came before it.
    this.#socket.on("error", () => {})
    this.#socket.on("close", () => {
      this.#closed = true
      this.#notify()
    })
  }

  /** Resolves when the bytes have left this process, or the connection is gone. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closed || this.#socket.destroyed) return resolve()
      const done = () => resolve()
      this.#socket.once("close", done)
      this.#socket.write(bytes, () => {
        this.#socket.off("close", done)
        resolve()
      })
    })
  }

  /** From now on nothing is read until `read` is called with `true`. */
  read(reading: boolean): void {
    if (reading) this.#socket.resume()
    else this.#socket.pause()
  }

  close(): void {
    this.#socket.destroy()
  }

  /** The answers, once enough have come, the other side has closed, or the time is up. */
  async conversation({ answers = 1, withinMillis = 10_000 }: Patience = {}): Promise<Conversation> {
    const until = performance.now() + withinMillis
    while (this.#replies.length < answers && !this.#closed && performance.now() < until) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now())
        this.#notify = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return { replies: [...this.#replies], interim: [...this.#interim], closed: this.#closed }
  }

  /** Resolves to true when the other side closes in time. */
  async closes(withinMillis = 10_000): Promise<boolean> {
    return (await this.conversation({ answers: Number.POSITIVE_INFINITY, withinMillis })).closed
  }
}

/** Writes bytes on a new connection and reads what comes back. */
export const raw = async (base: Base, bytes: string | Uint8Array, patience?: Patience): Promise<Conversation> => {
  const connection = new RawConnection(base)
  await connection.write(bytes)
  const conversation = await connection.conversation(patience)
  connection.close()
  return conversation
}
