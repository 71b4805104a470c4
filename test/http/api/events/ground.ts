/** What the tests of the events API share: events written past the service, and following them. Not a test itself. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import type { EventType } from "../../../../src/schema/journey/events.ts"
import { call, type Reply } from "../../../support/requests.ts"
import type { Service } from "../../../support/service.ts"

export const events = "/api/v1/events"

/** A connection of its own, for transactions that stay open as long as a test wants. */
export interface Connection {
  readonly query: (text: string, values?: ReadonlyArray<unknown>) => Promise<void>
  readonly close: () => Promise<void>
}

export const connect = async (databaseUrl: string): Promise<Connection> => {
  const scope = Scope.makeUnsafe()
  const connection = await Effect.runPromise(
    Scope.provide(PgConnection.make({ url: Redacted.make(databaseUrl) }), scope)
  )
  return {
    query: async (text, values = []) => void (await Effect.runPromise(connection.query(text, values))),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

export interface Wishes {
  readonly livemode?: boolean
  readonly type?: EventType
  readonly journeyId?: string
  /** 0 for a ping or a sample. */
  readonly sequence?: number
  /** When a node made its id, in milliseconds; now, unless said otherwise. */
  readonly writtenAt?: number
}

/** An id as a node makes it at a time. */
const idOf = (millis: number): string => {
  const time = millis.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Writes an event through `query` and returns its id. */
export const writeEvent = async (
  query: (text: string, values: ReadonlyArray<unknown>) => Promise<unknown>,
  companyId: string,
  { journeyId = randomUUID(), livemode = false, sequence = 1, type = "journey.created", writtenAt }: Wishes = {}
): Promise<string> => {
  const id = writtenAt === undefined ? nextId() : idOf(writtenAt)
  const body = JSON.stringify({ id, type, apiVersion: "1.0.0", livemode, createdAt: "", data: { journeyId } })
  await query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, now())`,
    [sequence === 0 ? id : journeyId, sequence, id, companyId, livemode, type, body]
  )
  return id
}

export const get = (service: Service, key: string, query = ""): Promise<Reply> =>
  call(service, { key, path: `${events}${query}` })

export const idsOf = (reply: Reply): ReadonlyArray<string> =>
  reply.data.content.map(({ event }: { event: { id: string } }) => event.id)

/** Reads a page and returns it; it must be one. */
export const page = async (
  service: Service,
  key: string,
  query: Readonly<Record<string, string>> = {}
): Promise<{ readonly ids: ReadonlyArray<string>; readonly next: string; readonly reply: Reply }> => {
  const reply = await get(service, key, `?${new URLSearchParams(query).toString()}`)
  expect(reply.status, reply.text.slice(0, 300)).toBe(200)
  return { ids: idsOf(reply), next: reply.data.next, reply }
}

/** Pages from a place on until one says what the one before said: nothing more is there. */
export const all = async (
  service: Service,
  key: string,
  query: Readonly<Record<string, string>> = {}
): Promise<ReadonlyArray<string>> => {
  const found = [] as Array<string>
  let after = query["after"]
  for (;;) {
    const { ids, next } = await page(service, key, after === undefined ? query : { ...query, after })
    found.push(...ids)
    if (next === after) return found
    after = next
  }
}
