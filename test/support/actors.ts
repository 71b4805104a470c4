/**
 * Journey actors with their real mailbox, cluster and store on a real database, without HTTP and without the pollers.
 * Nothing happens except what a test asks for, at the time the test gives. Two such sets of actors on one database are
 * two nodes that do not know each other.
 */
import { Clock, Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { Alarms } from "../../src/actors/journey/actor/Alarms.ts"
import { decideStart, type StartFacts } from "../../src/actors/journey/rules/decideStart.ts"
import * as JourneyActor from "../../src/actors/journey/actor/JourneyActor.ts"
import type { Answer, JourneyRequest } from "../../src/actors/journey/actor/JourneyEntity.ts"
import { PendingEffects } from "../../src/actors/journey/actor/PendingEffects.ts"
import * as JourneyMailbox from "../../src/actors/journey/actor/JourneyMailbox.ts"
import { JourneyResidents } from "../../src/actors/journey/actor/JourneyResidents.ts"
import { ErasureJournal, noJournal } from "../../src/actors/erasure/ErasureJournal.ts"
import { JourneyStore } from "../../src/actors/journey/actor/JourneyStore.ts"
import type { StoreUnavailable, OutcomeUnknown } from "../../src/actors/kernel/StoreError.ts"
import { record } from "../../src/actors/journey/rules/recordedEvent.ts"
import { nextAlarm } from "../../src/actors/journey/rules/timers.ts"
import { WebhookDeliveryAlarms } from "../../src/actors/webhook/actor/WebhookDeliveryAlarms.ts"
import * as NodeIds from "../../src/runtime/node/NodeIds.ts"
import * as oneNode from "../../src/runtime/cluster/oneNode.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { migrations } from "../../src/runtime/postgres/migrations/all.ts"
import * as PostgresTestClocks from "../../src/runtime/stores/clock/PostgresTestClocks.ts"
import * as PostgresJourneyStore from "../../src/runtime/stores/journey/PostgresJourneyStore.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import { JourneyId } from "../../src/schema/ids.ts"

export interface Actors {
  /** Asks a journey something, now or at a time that the test chooses. */
  readonly ask: (
    journeyId: string,
    message: JourneyMessage,
    options?: { readonly messageId?: string; readonly at?: number }
  ) => Effect.Effect<Answer, StoreUnavailable | OutcomeUnknown>
  readonly wake: (journeyId: string, at?: number) => Effect.Effect<void, StoreUnavailable | OutcomeUnknown>
  /** Writes a started journey with these facts, without HTTP. */
  readonly begin: (facts: StartFacts, at: number, sealedPhoto?: Uint8Array) => Promise<void>
  readonly query: <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** How many journeys are in memory. */
  readonly residents: () => Promise<number>
  readonly stop: () => Promise<void>
}

const noAlarms: Alarms["Service"] = { wakeNow: () => Effect.void, wakeAt: () => Effect.void }
const untold = Layer.succeed(WebhookDeliveryAlarms, { dueNow: () => {} })

/** A clock that shows one time but lets time pass as usual. */
const clockAt = (at: number): Clock.Clock => {
  const real = Context.get(Context.empty(), Clock.Clock)
  const shown: Pick<Clock.Clock, "currentTimeMillisUnsafe" | "currentTimeMillis"> = {
    currentTimeMillisUnsafe: () => at,
    currentTimeMillis: Effect.succeed(at)
  }
  return Object.assign(Object.create(real), shown)
}

/** The caller's context, clock included, reaches a local handler. */
const shownTime = <A, E>(work: Effect.Effect<A, E>, at: number | undefined): Effect.Effect<A, E> =>
  at === undefined ? work : Effect.provideService(work, Clock.Clock, clockAt(at))

/** Nobody carries out the pending effects of journeys. */
const noWork: PendingEffects["Service"] = { begin: () => Effect.void }

/** `changed` may put something between the actors and their store. `alarms` is told when a journey must be woken. */
export const startActors = async (
  databaseUrl: string,
  changed: (store: JourneyStore["Service"]) => JourneyStore["Service"] = (store) => store,
  alarms: Alarms["Service"] = noAlarms,
  work: PendingEffects["Service"] = noWork
): Promise<Actors> => {
  const database = Database.layerOf(Redacted.make(databaseUrl), migrations)
  const store = Layer.effect(JourneyStore, Effect.map(JourneyStore, changed)).pipe(
    Layer.provide(PostgresJourneyStore.layer),
    Layer.provide([untold, Layer.succeed(ErasureJournal, noJournal)])
  )
  const runtime = ManagedRuntime.make(
    JourneyActor.layer.pipe(
      Layer.provideMerge(JourneyMailbox.layer),
      Layer.provideMerge(oneNode.layer),
      Layer.provide([Layer.succeed(Alarms, alarms), Layer.succeed(PendingEffects, work), NodeIds.layer]),
      Layer.provide(PostgresTestClocks.layer),
      Layer.provideMerge(store),
      Layer.provideMerge(database)
    )
  )
  const services = await runtime.context()
  const mailbox = Context.get(services, JourneyMailbox.JourneyMailbox)
  const kept = Context.get(services, JourneyStore)
  const sql = Context.get(services, SqlClient.SqlClient)

  return {
    ask: (journeyId, message, { at, messageId = randomUUID() } = {}) => {
      const request: JourneyRequest = {
        messageId,
        sender: "test",
        scope: null,
        message,
        sealedNote: null,
        sealedPhoto: null
      }
      return shownTime(mailbox.ask(JourneyId.make(journeyId), request), at)
    },
    wake: (journeyId, at) => shownTime(mailbox.wake(JourneyId.make(journeyId)), at),
    begin: async (facts, at, sealedPhoto) => {
      const { events, journey, mails } = record(decideStart(facts, at), at, NodeIds.nextId)
      const outcome = await runtime.runPromise(
        kept.start({
          journey,
          wakeAt: nextAlarm(journey),
          sender: "test",
          requestId: null,
          idempotencyKey: `begin-${facts.id}`,
          fingerprint: new Uint8Array(32),
          customer: {
            customerId: facts.customerReference,
            isNew: true,
            emailIndex: Buffer.from(facts.customerReference),
            wrappedKey: new Uint8Array(61)
          },
          registrationIndex: new Uint8Array(32),
          dealerCompanyId: null,
          sealedRecord: new Uint8Array(30),
          sealedPhoto: sealedPhoto ?? null,
          holds: [],
          charges: [],
          events,
          mails,
          at,
          traceparent: null
        })
      )
      if (outcome._tag !== "Created") throw new Error(`not begun: ${outcome._tag}`)
    },
    query: <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      runtime.runPromise<ReadonlyArray<Row>, SqlError>(sql.unsafe<Row>(text, values)),
    run: (effect) => runtime.runPromise(effect),
    residents: async () => Context.get(services, JourneyResidents).count(),
    stop: () => runtime.dispose()
  }
}
