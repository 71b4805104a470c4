/**
 * Uploaded videos on a real database without the rest of the service. Journeys are rows with the columns that matter,
 * and the test chooses who looks at videos.
 */
import { Clock, Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { hash, randomUUID } from "node:crypto"
import { Biometrics } from "../../src/actors/checks/Biometrics.ts"
import { KeptPhotos } from "../../src/actors/checks/identity/KeptPhotos.ts"
import { Uploads } from "../../src/actors/checks/uploads/Uploads.ts"
import { VideoFrames } from "../../src/actors/checks/video/VideoFrames.ts"
import { VideoChallenges } from "../../src/actors/checks/video/VideoChallenges.ts"
import { Videos } from "../../src/actors/checks/video/Videos.ts"
import { photoPlace } from "../../src/actors/journey/actor/JourneyStore.ts"
import { ReferenceFace } from "../../src/actors/checks/video/ReferenceFace.ts"
import { Vault, type DataKey } from "../../src/actors/kernel/Vault.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import * as NodeIds from "../../src/runtime/node/NodeIds.ts"
import * as Database from "../../src/runtime/postgres/Database.ts"
import { fillFromState } from "../../src/runtime/postgres/migrations/0013_waiting.ts"
import { migrations } from "../../src/runtime/postgres/migrations/all.ts"
import * as PostgresBiometrics from "../../src/runtime/stores/checks/PostgresBiometrics.ts"
import * as PostgresReferenceFace from "../../src/runtime/stores/checks/PostgresReferenceFace.ts"
import * as PostgresKeptPhotos from "../../src/runtime/stores/checks/PostgresKeptPhotos.ts"
import * as PostgresUploads from "../../src/runtime/stores/checks/PostgresUploads.ts"
import * as PostgresVideoChallenges from "../../src/runtime/stores/checks/PostgresVideoChallenges.ts"
import * as PostgresVideoFrames from "../../src/runtime/stores/checks/PostgresVideoFrames.ts"
import * as PostgresVideos from "../../src/runtime/stores/checks/PostgresVideos.ts"
import type { VideoReader } from "../../src/runtime/video/VideoReader.ts"
import { freshDatabase } from "./service.ts"
import { JourneyId } from "../../src/schema/ids.ts"

const masterKey = Buffer.alloc(32, 7)

export interface JourneyFacts {
  readonly status: "ACTIVE" | "COMPLETED" | "CANCELLED"
  readonly livemode: boolean
  readonly handover: string
  readonly identity: { readonly status: string; readonly check?: number } | null
  /** Epoch milliseconds. */
  readonly lastEventAt: number
}

/** A clock that shows the real time plus so many milliseconds. */
export const later = (millis: number) => {
  const real = Context.get(Context.empty(), Clock.Clock)
  const shown: Pick<Clock.Clock, "currentTimeMillisUnsafe" | "currentTimeMillis"> = {
    currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + millis,
    currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + millis)
  }
  return Effect.provideService(Clock.Clock, Object.assign(Object.create(real), shown))
}

export const chunkOf = (number: number, bytes: Uint8Array) => ({ number, bytes, sha256: hash("sha256", bytes) })

export const startVideos = async (reader: Layer.Layer<VideoReader>, database?: string) => {
  const vault = AesVault.make(masterKey)
  const url = database ?? (await freshDatabase())
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      PostgresVideos.layer,
      PostgresUploads.layer,
      PostgresVideoChallenges.layer,
      PostgresKeptPhotos.layer,
      PostgresReferenceFace.layer,
      PostgresBiometrics.layer,
      Layer.provide(PostgresVideoFrames.layer, PostgresVideos.layer)
    ).pipe(
      Layer.provideMerge(reader),
      Layer.provide([Layer.succeed(Vault, vault), NodeIds.layer]),
      Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations))
    )
  )
  const services = await runtime.context()
  const sql = Context.get(services, SqlClient.SqlClient)
  const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
    runtime.runPromise<ReadonlyArray<Row>, SqlError>(sql.unsafe<Row>(text, values))

  /** A journey with its customer and key. It waits for a video unless the facts say otherwise. */
  const journey = async (facts: Partial<JourneyFacts> = {}) => {
    const { handover, identity, lastEventAt, livemode, status } = {
      status: "ACTIVE",
      livemode: true,
      handover: "AWAITING_VIDEO",
      identity: null,
      lastEventAt: Date.now(),
      ...facts
    }
    const [id, customerId, companyId] = [randomUUID(), randomUUID(), randomUUID()]
    const key: DataKey = Effect.runSync(vault.newKey)
    const state = JSON.stringify({ handover: { status: handover }, identity, lastEventAt })
    await query(
      "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1, 'Cars', 'DEALER', 'a@b.example', '{}', now())",
      [companyId]
    )
    await query(
      `insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
        values ($1::uuid, $2, $3, decode(md5($1::uuid::text), 'hex'), decode($4, 'base64'), now())`,
      [customerId, companyId, livemode, Buffer.from(key.wrapped).toString("base64")]
    )
    await query(
      `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at)
        values ($1::uuid, $2, $3, $4, 1, $5, $1::uuid::text, '\\x00', $6::json, now())`,
      [id, companyId, livemode, status, customerId, state]
    )
    await query(fillFromState)
    const keepSealed = (insert: string, sealed: Uint8Array, more: ReadonlyArray<unknown>) =>
      query(insert, [id, customerId, Buffer.from(sealed).toString("base64"), ...more])
    return {
      id,
      companyId,
      customerId,
      key,
      is: async (now: Partial<Pick<JourneyFacts, "handover" | "status" | "lastEventAt">>) => {
        await query(`update journeys set status = $2, state = $3::json where id = $1`, [
          id,
          now.status ?? status,
          JSON.stringify({
            handover: { status: now.handover ?? handover },
            identity,
            lastEventAt: now.lastEventAt ?? lastEventAt
          })
        ])
        await query(fillFromState)
      },
      erased: () => query("delete from customers where id = $1", [customerId]),
      keepPhoto: (photo: Uint8Array) =>
        keepSealed(
          `insert into customer_photos (journey_id, customer_id, sealed, at) values ($1, $2, decode($3, 'base64'), now())`,
          key.sealBytes(photoPlace(JourneyId.make(id)), photo),
          []
        ),
      keepSealed
    }
  }

  return {
    /** For a second ground on the same database. */
    url,
    videos: Context.get(services, Videos),
    uploads: Context.get(services, Uploads),
    challenges: Context.get(services, VideoChallenges),
    keptPhotos: Context.get(services, KeptPhotos),
    biometrics: Context.get(services, Biometrics),
    references: Context.get(services, ReferenceFace),
    frames: Context.get(services, VideoFrames),
    query,
    journey,
    run: <A, E>(effect: Effect.Effect<A, E>) => runtime.runPromise(Effect.result(effect)),
    stop: () => runtime.dispose()
  }
}
