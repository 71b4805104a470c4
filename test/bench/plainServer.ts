/**
 * What a programmer would write by hand instead of the service: node:http and the wire client, for starts (with Idempotency-Key,
 * the body's hash and group commit), reads and finance decisions. It checks nothing, encrypts nothing, limits nobody, sends neither
 * mail nor webhook and counts nothing, so it is what the benches compare with, and no service. PORT and DATABASE_URL say where.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Scope } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { arrayParameter } from "../../src/runtime/postgres/parameters.ts"
import { plainTables, readById, readByKey, writeDecision, writeStarts } from "./plainRows.ts"

/** As many as the service has. */
const connections = 10
const mostInCommit = 64
const commitsAtOnce = 2
const companyId = randomUUID()

interface State {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly finance: { readonly status: string } | null
  readonly identity: { readonly status: string }
  readonly nextAction: string
  readonly createdAt: string
}

interface StartBody {
  readonly type: string
  readonly externalReference?: string
  readonly customer: { readonly email: string }
}

interface Start {
  readonly key: string
  readonly hash: Buffer
  readonly text: string
  readonly body: StartBody
  readonly state: State
  readonly at: Date
  readonly done: (isNew: boolean) => void
  readonly failed: (cause: unknown) => void
}

const url = Redacted.make(process.env["DATABASE_URL"] ?? "")
const scope = Scope.makeUnsafe()
const sessions = await Effect.runPromise(
  Effect.all(Array.from({ length: connections }, () => Scope.provide(PgConnection.make({ url, prepare: true }), scope)))
)
let turn = 0

const query = async (text: string, values: ReadonlyArray<unknown>) => {
  const session = sessions[turn++ % connections]
  if (session === undefined) throw new Error("there is no session")
  return (await Effect.runPromise(session.query(text, values))).rows
}

const eventBody = (id: string, type: string, state: State): string =>
  JSON.stringify({
    id,
    type,
    createdAt: state.createdAt,
    data: { journeyId: state.id, journeyStatus: state.status, identityStatus: state.identity.status }
  })

const waiting: Array<Start> = []
let committing = 0

/** What arrives while two commits run goes into the next one. */
const commitStarts = async (): Promise<void> => {
  if (committing >= commitsAtOnce) return
  committing++
  while (waiting.length > 0) {
    const starts = waiting.splice(0, mostInCommit)
    try {
      const rows = await query(writeStarts, parametersOf(starts))
      const written = new Set(rows.map((row) => row["id"]))
      for (const { done, state } of starts) done(written.has(state.id))
    } catch (cause) {
      for (const { failed } of starts) failed(cause)
    }
  }
  committing--
}

const parametersOf = (starts: ReadonlyArray<Start>) => {
  const column = (type: Parameters<typeof arrayParameter>[1], of: (start: Start) => unknown) =>
    arrayParameter(starts.map(of), type)
  const created = starts.map(() => randomUUID())
  const requested = starts.map(() => randomUUID())
  const bodies = (ids: ReadonlyArray<string>, type: string) =>
    arrayParameter(
      starts.map(({ state }, at) => eventBody(ids[at] ?? "", type, state)),
      "text"
    )
  return [
    column("uuid", ({ state }) => state.id),
    column("uuid", () => companyId),
    column("text", ({ key }) => key),
    column("bytea", ({ hash }) => hash),
    column("text", ({ body }) => body.externalReference ?? null),
    column("text", ({ body }) => body.customer.email),
    column("text", ({ state }) => JSON.stringify(state)),
    column("text", ({ text }) => text),
    column("timestamptz", ({ at }) => at),
    arrayParameter(created, "uuid"),
    bodies(created, "journey.created"),
    arrayParameter(requested, "uuid"),
    bodies(requested, "identity.requested")
  ]
}

interface Answer {
  readonly status: number
  readonly data: string
}

const start = async (key: string, text: string): Promise<Answer> => {
  const at = new Date()
  const hash = createHash("sha256").update(text).digest()
  const body = JSON.parse(text) as StartBody
  const state: State = {
    id: randomUUID(),
    type: body.type,
    status: "ACTIVE",
    finance: body.type === "FINANCE_IDENTITY_DELIVERY" ? { status: "SUBMITTED" } : null,
    identity: { status: "REQUESTED" },
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY",
    createdAt: at.toISOString()
  }
  const isNew = await new Promise<boolean>((done, failed) => {
    waiting.push({ key, hash, text, body, state, at, done, failed })
    void commitStarts()
  })
  if (isNew) return { status: 202, data: JSON.stringify(state) }
  const [taken] = await query(readByKey, [companyId, key])
  const isSame = taken !== undefined && hash.equals(taken["body_hash"] as Uint8Array)
  return isSame ? { status: 200, data: String(taken["state"]) } : { status: 409, data: "null" }
}

const read = async (id: string): Promise<Answer> => {
  const [row] = await query(readById, [companyId, id])
  return row === undefined ? { status: 404, data: "null" } : { status: 200, data: String(row["state"]) }
}

const decide = async (id: string, text: string): Promise<Answer> => {
  const { decision } = JSON.parse(text) as { readonly decision: string }
  const [row] = await query(readById, [companyId, id])
  if (row === undefined) return { status: 404, data: "null" }
  const state = JSON.parse(String(row["state"])) as State
  if (state.finance?.status !== "SUBMITTED") return { status: 409, data: "null" }
  const decided = { ...state, finance: { status: decision } }
  const data = JSON.stringify(decided)
  const eventId = randomUUID()
  const written = await query(writeDecision, [
    id,
    row["version"],
    data,
    text,
    eventId,
    eventBody(eventId, "finance_enquiry.approved", decided)
  ])
  return written.length === 1 ? { status: 200, data } : { status: 409, data: "null" }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const answer = async (request: IncomingMessage): Promise<Answer> => {
  const id = request.url?.split("/")[4]
  if (request.method === "GET") return read(id ?? "")
  const text = await textOf(request)
  return id === undefined ? start(String(request.headers["idempotency-key"]), text) : decide(id, text)
}

const respond = (response: ServerResponse, { data, status }: Answer): void => {
  const body = `{"success":${status < 400},"data":${data},"errors":null}`
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}

for (const statement of plainTables.split(";")) await query(statement, [])
createServer((request, response) => {
  void answer(request).then(
    (given) => respond(response, given),
    (cause: unknown) => {
      console.error(cause)
      respond(response, { status: 500, data: "null" })
    }
  )
}).listen(Number(process.env["PORT"]), "127.0.0.1", () => process.stdout.write("listening\n"))
