/** The challenges in handover videos in PostgreSQL. `PostgresUploads.ts` takes the videos that name them. */
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { drawnTurns } from "../../../actors/checks/video/headTurns.ts"
import { challengeLimits } from "../../../actors/checks/limits.ts"
import { UploadNotAwaited } from "../../../actors/checks/uploads/Uploads.ts"
import { uploadRow } from "../../../actors/checks/uploads/uploadRows.ts"
import { VideoChallenges } from "../../../actors/checks/video/VideoChallenges.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { HeadTurn } from "../../../schema/media/headTurns.ts"
import { uuid } from "../../../schema/uuid.ts"
import { before } from "../../postgres/parameters.ts"
import { column, rowModel, type ColumnDecoder } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead } from "../../postgres/storeCalls.ts"

/** A challenge that is shown already stays, and so does one that another request has made at the same time. */
const drawStatement = `
insert into video_challenges (journey_id, id, turns, asked_at)
select j.id, $2::uuid, $3::text, $4::timestamptz from journeys j where j.id = $1::uuid and j.step = $5::text
on conflict (journey_id) do update
set id = excluded.id, turns = excluded.turns, asked_at = excluded.asked_at, used_at = null
where video_challenges.used_at is not null or video_challenges.asked_at <= $6::timestamptz`

const shownStatement = `
select id, turns from video_challenges
where journey_id = $1::uuid and used_at is null and asked_at > $2::timestamptz`

const namedStatement = `${shownStatement} and id = $3::uuid`

/** Inside the transaction that finishes a video ($1). */
export const useChallengeStatement = `
update video_challenges set used_at = $2::timestamptz
where id = (select challenge_id from video_uploads where id = $1::uuid) and used_at is null`

const decodeTurns = Schema.decodeUnknownSync(Schema.Array(HeadTurn))

const turnsIn = (text: string | null): ReadonlyArray<HeadTurn> =>
  decodeTurns(text === null || text === "" ? [] : text.split(","))

export const turnsColumn: ColumnDecoder<ReadonlyArray<HeadTurn>> = (value, name) =>
  turnsIn(column.orNull(column.text)(value, name))

const ChallengeRow = rowModel({ id: column.text, turns: turnsColumn })

/** Inside a transaction: the challenge that a new upload names. Null: unknown, over, or used. */
export const namedChallenge = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  journeyId: JourneyId,
  challengeId: string
) {
  if (!uuid.test(challengeId)) return null
  const askedAfter = before(yield* Clock.currentTimeMillis, challengeLimits.lives)
  return yield* ChallengeRow.first(sql.unsafe(namedStatement, [journeyId, askedAfter, challengeId]))
})

export const layer = Layer.effect(
  VideoChallenges,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids
    return VideoChallenges.of({
      ask: Effect.fn("VideoChallenges.ask")(function* (journeyId) {
        const now = yield* Clock.currentTimeMillis
        const drawn = drawnTurns(ids.unguessable()).join(",")
        const { step } = uploadRow("VIDEO")
        const old = before(now, challengeLimits.shownAgainFor)
        yield* repeatableWrite(
          sql.unsafe(drawStatement, [journeyId, ids.unguessable(), drawn, new Date(now), step, old])
        )
        const shown = yield* storeRead(
          ChallengeRow.first(sql.unsafe(shownStatement, [journeyId, before(now, challengeLimits.lives)]))
        )
        return shown ?? (yield* new UploadNotAwaited())
      })
    })
  })
)
