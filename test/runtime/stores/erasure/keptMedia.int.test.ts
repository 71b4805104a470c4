/** What a look for photos and videos that are kept no longer reads where many are kept, and which journeys of earlier versions it finds. */
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import { removePhotosStatement } from "../../../../src/runtime/stores/checks/PostgresUploads.ts"
import { removeMediaStatement } from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { explained, type PlanOfRun } from "../../../support/plans.ts"
import { databaseWithoutTables } from "../../../support/service.ts"
import { startVideos } from "../../../support/videoGround.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground.stop())

/** So many journeys of one company that ended some days ago, each with a photo, a check and a video. */
const keep = (url: string, companyId: string, count: number, daysAgo: number) =>
  queryDirectly(
    url,
    `with ended as (
       insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at, ended_at)
       select gen_random_uuid(), $1::uuid, true, 'COMPLETED', 1, gen_random_uuid(), gen_random_uuid()::text, '\\x00', '{}', now(),
         now() - make_interval(days => $3::int4)
       from generate_series(1, $2::int4) returning id, customer_id
     ), photos as (
       insert into customer_photos (journey_id, customer_id, sealed, at) select id, customer_id, '\\x01', now() from ended
     ), attempts as (
       insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_selfie)
       select gen_random_uuid(), id, customer_id, 1, now(), 'SAME', '\\x01' from ended
     )
     insert into video_uploads (id, journey_id, customer_id, begun_at, completed_at, bytes, chunks, kind)
     select gen_random_uuid(), id, customer_id, now(), now(), 1, 1, 'MP4' from ended`,
    [companyId, count, daysAgo]
  )

/** The database with so many migrations. */
const on = (url: string, count = migrations.length) => Database.layerOf(Redacted.make(url), migrations.slice(0, count))

/** How PostgreSQL runs one look. */
const look = (statement: string): Promise<PlanOfRun> =>
  Effect.gen(function* () {
    return yield* explained({ sql: yield* SqlClient.SqlClient }, statement, [new Date(Date.now() + 1000), 10])
  }).pipe(Effect.provide(on(ground.url)), Effect.runPromise)

it("reads what is due, and not the photos and videos that are kept", async () => {
  const { companyId } = await ground.journey()
  await keep(ground.url, companyId, 3, 31)
  await keep(ground.url, companyId, 5000, 3)
  await queryDirectly(ground.url, "analyze", [])
  const media = await look(removeMediaStatement)
  expect(media.rows).toBeLessThan(100)
  expect(media.pages).toBeLessThan(400)
  const photos = await look(removePhotosStatement)
  expect(photos.rows + photos.wasted).toBeLessThan(10)
  expect(photos.pages).toBeLessThan(20)
  expect(await ground.query("select from customer_photos")).toHaveLength(5000)
})

it("finds the journeys that had ended before the database noted it, where photos or videos are kept", async () => {
  const url = await databaseWithoutTables()
  const migrateTo = (count: number) => Effect.runPromise(Effect.scoped(Layer.build(on(url, count))))
  await migrateTo(68)
  await keep(url, randomUUID(), 4, 31)
  const [bare, running] = await queryDirectly<{ readonly id: string }>(url, "select id from journeys", [])
  for (const table of ["customer_photos", "identity_attempts", "video_uploads"]) {
    await queryDirectly(url, `delete from ${table} where journey_id = $1`, [bare?.id])
  }
  await queryDirectly(url, "update journeys set ended_at = null where id = $1", [running?.id])
  await migrateTo(migrations.length)
  const noted = await queryDirectly(
    url,
    "select company_id, ended_at, journey_id from ended_journeys order by journey_id"
  )
  const ended =
    "select company_id, ended_at, id as journey_id from journeys where ended_at is not null and id <> $1 order by id"
  expect(noted).toEqual(await queryDirectly(url, ended, [bare?.id]))
  expect(noted).toHaveLength(2)
})
