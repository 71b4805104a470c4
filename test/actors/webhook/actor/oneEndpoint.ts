/**
 * The ground for tests of one endpoint's actor with a clock that the test holds: for each test a fresh endpoint at a fresh
 * receiver, which answers 500 until it is told otherwise, and questions to both. The database and its delays are real.
 */
import { Clock, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, beforeEach } from "vitest"
import type { EndpointActor } from "../../../../src/actors/webhook/actor/EndpointActor.ts"
import { EndpointMail } from "../../../../src/schema/mail/mailKinds.ts"
import {
  aLife,
  attemptTimes,
  deliveryOf,
  settled,
  startGround,
  writeCompany,
  writeEvent,
  type Ground
} from "../../../support/endpointActors.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../../support/receivers.ts"
import { freshDatabase } from "../../../support/service.ts"

export const began = Date.parse("2026-03-01T08:00:00.250Z")
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

let ground: Ground
/** Of the test that runs. */
export let receiver: Receiver
export let endpointId: string

/** Makes the ground of a test file. Every file calls it for itself, because files share a process and what is imported runs once. */
export const useOneEndpoint = (): void => {
  beforeAll(async () => {
    ground = await startGround(await freshDatabase())
  })
  afterAll(() => ground.stop())
  beforeEach(async () => {
    receiver = await startReceiver(500)
    endpointId = await writeEndpoint(ground.query, { companyId: await writeCompany(ground.query), url: receiver.url })
    return () => receiver.stop()
  })
}

export const startClock = Effect.suspend(() => TestClock.setTime(began))
export const now = Clock.currentTimeMillis
const asked = <A>(ask: () => Promise<A>) => Effect.promise(ask)
export const queried = <Row extends object>(text: string, values: ReadonlyArray<unknown>) =>
  asked(() => ground.query<Row>(text, values))
export const failOwnSide = (failing: boolean) => Effect.sync(() => ground.failOwnSide(failing))

/** Something happens now, and is due. */
export const happens = (more: Partial<Parameters<typeof writeEvent>[1]> = {}) =>
  Effect.flatMap(now, (at) => asked(() => writeEvent(ground.query, { endpointId, at, ...more })))
export const delivery = (eventId: string) => asked(() => deliveryOf(ground.query, eventId))
export const timesOf = (eventId: string) => asked(() => attemptTimes(ground.query, eventId))

interface EndpointRow {
  readonly enabled: boolean
  readonly off_reason: string | null
  readonly failing_since: Date | null
  readonly warnings: number
  readonly revision: number
}
export const endpointRow = asked(async () => {
  const [row] = await ground.query<EndpointRow>(
    "select enabled, off_reason, failing_since, warnings, revision from webhook_endpoints where id = $1",
    [endpointId]
  )
  if (row === undefined) throw new Error("no endpoint")
  return row
})
export const endpointBecomes = (isSo: (row: EndpointRow) => boolean) =>
  asked(() => eventually(() => Effect.runPromise(endpointRow), isSo))

/** Mails owed about the endpoint, as the postman reads them. */
export const mails = asked(async () => {
  const rows = await ground.query<{ readonly kind: string; readonly facts: unknown; readonly at: Date }>(
    "select kind, facts, created_at as at from mails where facts ->> 'endpointId' = $1 order by created_at",
    [endpointId]
  )
  return rows.map(({ at, facts, kind }) => ({ at, mail: Schema.decodeUnknownSync(EndpointMail)({ kind, facts }) }))
})

const attemptsLogged = async () => {
  const [row] = await ground.query<{ readonly count: number }>(
    "select count(*)::int as count from attempts a join deliveries d using (event_id) where d.endpoint_id = $1",
    [endpointId]
  )
  return row?.count ?? 0
}

/** The actor looks; when everything it sent is in the log, how much that was. */
export const worked = (actor: EndpointActor) =>
  Effect.gen(function* () {
    const before = ground.posts()
    const logged = yield* asked(attemptsLogged)
    yield* actor.look(true)
    yield* settled(actor)
    const sent = ground.posts() - before
    yield* asked(() => eventually(attemptsLogged, (count) => count >= logged + sent))
    // What the exchanges said about the endpoint is judged in the turn that their records are begun in.
    yield* settled(actor)
    return ground.posts() - before
  })

/** An actor that is there while `use` runs, as a process is. */
export const living = <A, E, R>(use: (actor: EndpointActor) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => aLife(ground, endpointId, use))
