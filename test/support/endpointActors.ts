/**
 * Actors of endpoints on a real PostgreSQL and over real connections, without pollers and without a cluster. Nothing
 * happens except what a test asks for, by the clock that the test holds. Two actors of one endpoint are two nodes that
 * do not know each other. One after another on the same rows is a restart.
 */
import { Clock, Context, Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { createHmac, randomUUID } from "node:crypto"
import { Vault } from "../../src/actors/kernel/Vault.ts"
import { failed } from "../../src/actors/webhook/rules/classification.ts"
import { WebhookDeliveryStore } from "../../src/actors/webhook/actor/WebhookDeliveryStore.ts"
import * as EndpointActor from "../../src/actors/webhook/actor/EndpointActor.ts"
import { Sender } from "../../src/actors/webhook/actor/Sender.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import * as DnsResolver from "../../src/runtime/webhooks/DnsResolver.ts"
import * as NodeIds from "../../src/runtime/node/NodeIds.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { migrations } from "../../src/runtime/postgres/migrations/all.ts"
import * as PostgresDeliveryStore from "../../src/runtime/stores/webhook/PostgresDeliveryStore.ts"
import * as UndiciSender from "../../src/runtime/webhooks/UndiciSender.ts"
import type { EventType } from "../../src/schema/journey/events.ts"
import { endpointSecret, masterKey } from "./endpoints.ts"
import { receiverAuthority } from "./heldReceiver.ts"
import type { Received } from "./receivers.ts"
import { EndpointId, EventId } from "../../src/schema/ids.ts"

type Query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

export interface Ground {
  readonly store: WebhookDeliveryStore["Service"]
  readonly query: Query
  /** Exchanges that were begun, whether or not a receiver heard of them. */
  readonly posts: () => number
  /** Decides whether exchanges end as failures of the service itself from now on. */
  readonly failOwnSide: (failing: boolean) => void
  /** An actor that uses the clock of its creator and lives until the scope ends. */
  readonly actor: (endpointId: string) => Effect.Effect<EndpointActor.EndpointActor, never, Scope.Scope>
  readonly stop: () => Promise<void>
}

/** Statements to the database take real time, whatever clock the actor has. */
const inRealTime = (store: WebhookDeliveryStore["Service"]): WebhookDeliveryStore["Service"] => {
  const clock = Context.get(Context.empty(), Clock.Clock)
  const real = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, Clock.Clock, clock)
  return {
    endpoint: (id) => real(store.endpoint(id)),
    due: (ask) => real(store.due(ask)),
    one: (endpointId, eventId) => real(store.one(endpointId, eventId)),
    record: (outcomes) => real(store.record(outcomes)),
    changeHealth: (change) => real(store.changeHealth(change)),
    park: (endpointId) => real(store.park(endpointId)),
    resendMore: (endpointId, now) => real(store.resendMore(endpointId, now))
  }
}

/** `changed` may put something between the actors and their store. */
export const startGround = async (
  databaseUrl: string,
  changed: (store: WebhookDeliveryStore["Service"]) => WebhookDeliveryStore["Service"] = (store) => store
): Promise<Ground> => {
  let posts = 0
  let isFailing = false
  const database = Database.layerOf(Redacted.make(databaseUrl), migrations)
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      Layer.provide(PostgresDeliveryStore.layer, NodeIds.layer),
      Layer.provide(UndiciSender.layerOf({ allowInsecure: true, certificates: [receiverAuthority] }), DnsResolver.layer)
    ).pipe(Layer.provideMerge(database))
  )
  const services = await runtime.context()
  const sql = Context.get(services, SqlClient.SqlClient)
  const undici = Context.get(services, Sender)
  const store = inRealTime(changed(Context.get(services, WebhookDeliveryStore)))
  const sender = Sender.of({
    open: (url, connections) =>
      Effect.map(undici.open(url, connections), (channel) => ({
        post: (sign, body, done) => {
          posts += 1
          if (isFailing) queueMicrotask(() => done(failed("SERVICE_FAILURE")))
          else channel.post(sign, body, done)
        }
      }))
  })
  return {
    store,
    query: <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      runtime.runPromise<ReadonlyArray<Row>, SqlError>(sql.unsafe<Row>(text, values)),
    posts: () => posts,
    failOwnSide: (failing) => {
      isFailing = failing
    },
    actor: (endpointId) =>
      EndpointActor.make(EndpointId.make(endpointId)).pipe(
        Effect.provideService(WebhookDeliveryStore, store),
        Effect.provideService(Sender, sender),
        Effect.provideService(Vault, AesVault.make(masterKey))
      ),
    stop: () => runtime.dispose()
  }
}

/** Returns when the actor has handled everything that it was asked before, and has sent what it may send. */
export const settled = (actor: EndpointActor.EndpointActor): Effect.Effect<void> => {
  // No such event exists. The actor takes up the second request only after it has finished the first.
  const refused = Effect.ignore(Effect.suspend(() => actor.attempt(EventId.make(randomUUID()))))
  return Effect.andThen(refused, refused)
}

/** Runs `use` with an actor that lives as long as `use`, as with a process. */
export const aLife = <A, E, R>(
  ground: Ground,
  endpointId: string,
  use: (actor: EndpointActor.EndpointActor) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) => Effect.flatMap(Scope.provide(ground.actor(endpointId), scope), use),
    (scope) => Scope.close(scope, Exit.void)
  )

export const writeCompany = async (query: Query): Promise<string> => {
  const id = randomUUID()
  await query(
    `insert into companies (id, name, kind, admin_email, sandbox, created_at)
     values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', '{}', now())`,
    [id]
  )
  return id
}

interface Happening {
  readonly endpointId: string
  /** The time of the event and of its due delivery, in epoch milliseconds. */
  readonly at: number
  readonly journeyId?: string
  readonly sequence?: number
  readonly type?: EventType
  readonly trigger?: "SCHEDULE" | "TEST"
}

/** Writes an event and its delivery as the commit of a journey would. Gives the id of the event. */
export const writeEvent = async (
  query: Query,
  { at, endpointId, journeyId = randomUUID(), sequence = 1, trigger = "SCHEDULE", type = "journey.created" }: Happening
): Promise<string> => {
  const id = NodeIds.nextId()
  const body = JSON.stringify({ id, type, apiVersion: "1.0.0", livemode: false, createdAt: new Date(at), data: {} })
  await query(
    `with e as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select $2, $3, $4, w.company_id, w.livemode, $5, $6, $7 from webhook_endpoints w where w.id = $1
     )
     insert into deliveries (endpoint_id, event_id, status, trigger, due_at) values ($1, $4, 'PENDING', $8, $7)`,
    [endpointId, sequence === 0 ? id : journeyId, sequence, id, type, body, new Date(at), trigger]
  )
  return id
}

export interface DeliveryState {
  readonly status: string
  readonly attempts: number
  readonly tries: number
  /** Epoch milliseconds. */
  readonly dueAt: number | null
  readonly trigger: string
}

export const deliveryOf = async (query: Query, eventId: string): Promise<DeliveryState | undefined> => {
  const [row] = await query<DeliveryState & { readonly due: Date | null }>(
    "select status, attempts, tries, trigger, due_at as due from deliveries where event_id = $1",
    [eventId]
  )
  if (row === undefined) return undefined
  const { attempts, due, status, tries, trigger } = row
  return { status, attempts, tries, trigger, dueAt: due?.getTime() ?? null }
}

/** The times of an event's attempts in order, in epoch milliseconds. */
export const attemptTimes = async (query: Query, eventId: string): Promise<ReadonlyArray<number>> =>
  (await query<{ readonly at: Date }>("select at from attempts where event_id = $1 order by number", [eventId])).map(
    ({ at }) => at.getTime()
  )

/** The time in seconds for which a delivery was signed, if the signature is right for its bytes. */
export const signedSeconds = ({ body, headers }: Received): number | null => {
  const t = String(headers["service-timestamp"])
  const v1 = createHmac("sha256", endpointSecret).update(`${t}.`).update(body).digest("hex")
  return headers["service-signature"] === `t=${t},v1=${v1}` ? Number(t) : null
}
