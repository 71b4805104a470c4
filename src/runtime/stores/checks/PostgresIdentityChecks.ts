/**
 * Identity checks in PostgreSQL: the pages of outside providers, and the attempts at the service's own check. What an attempt
 * came to is decided in `actors/checks`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { IdentityChecks } from "../../../actors/checks/identity/IdentityChecks.ts"
import { checkLimits } from "../../../actors/checks/limits.ts"
import { bytesOrNull } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { AttemptId, CheckId } from "../../../schema/ids.ts"

const countedForMillis = Duration.toMillis(checkLimits.attemptsCountedFor)

const TriesRow = rowModel({ attempts: column.wholeNumber, looks: column.wholeNumber })
const PrintsRow = rowModel({ attemptId: column.id(AttemptId), sealed: column.bytes })
const StepRow = rowModel({ step: column.orNull(column.text) })
const PageRow = rowModel({ checkId: column.id(CheckId), sealedUrl: column.bytes })

export const layer = Layer.effect(
  IdentityChecks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return IdentityChecks.of({
      keepPage: (checkId, { check, journeyId }, sealedUrl, at) =>
        storeWrite(
          sql`insert into identity_checks (id, journey_id, customer_id, check_number, sealed_url, at)
            select ${checkId}::uuid, j.id, j.customer_id, ${check}::int, ${PgTypes.bytea(sealedUrl)}::bytea,
              ${new Date(at)}::timestamptz
            from journeys j join customers c on c.id = j.customer_id and c.wrapped_key is not null
            where j.id = ${journeyId}
            on conflict (id) do update set sealed_url = excluded.sealed_url, at = excluded.at`
        ).pipe(Effect.asVoid),
      page: ({ check, journeyId }) =>
        storeRead(
          PageRow.first(sql`
            select id as check_id, sealed_url from identity_checks
            where journey_id = ${journeyId} and check_number = ${check} order by at desc limit 1`)
        ),
      isAtProvider: ({ check, journeyId }) =>
        Effect.map(
          storeRead(sql`
            select from provider_requests
            where journey_id = ${journeyId} and kind = 'IDENTITY' and check_number = ${check} limit 1`),
          (rows) => rows.length > 0
        ),
      begin: (attemptId, { check, journeyId }, at) =>
        // Of two attempts at once the second one waits for the row, and then counts the first one as well.
        Effect.gen(function* () {
          const step = yield* StepRow.first(sql`select step from journeys where id = ${journeyId} for no key update`)
          // The customer may have withdrawn their consent a moment ago: nothing is begun for a step that is no longer asked for.
          if (step?.step !== "VERIFY_IDENTITY") return "NOT_ASKED" as const
          const begun = yield* sql`
            insert into identity_attempts (id, journey_id, customer_id, check_number, at)
            select ${attemptId}::uuid, j.id, j.customer_id, ${check}::int, ${new Date(at)}::timestamptz
            from journeys j, (
              select count(*) filter (where verdict is distinct from 'NOT_JUDGED') as attempts, count(*) as looks
              from identity_attempts where journey_id = ${journeyId} and at > ${new Date(at - countedForMillis)}
            ) today
            where j.id = ${journeyId} and today.attempts < ${checkLimits.mostAttempts}
              and today.looks < ${checkLimits.mostLooks}
            returning id`
          return begun.length > 0 ? ("BEGUN" as const) : ("TOO_MANY" as const)
        }).pipe(sql.withTransaction, storeWrite),
      triesLeft: (journeyId, at) =>
        storeRead(
          TriesRow.first(sql`
            select count(*) filter (where verdict is distinct from 'NOT_JUDGED') as attempts, count(*) as looks
            from identity_attempts where journey_id = ${journeyId} and at > ${new Date(at - countedForMillis)}`)
        ).pipe(
          Effect.map((today) => {
            const { attempts = 0, looks = 0 } = today ?? {}
            return looks < checkLimits.mostLooks ? Math.max(0, checkLimits.mostAttempts - attempts) : 0
          })
        ),
      earlierPrints: (journeyId) =>
        storeRead(
          PrintsRow.all(sql`
            select id as attempt_id, sealed_prints as sealed from identity_attempts
            where journey_id = ${journeyId} and sealed_prints is not null
            order by at desc limit ${checkLimits.mostEarlierPrints}`)
        ),
      judged: ({ id, sealedDocument, sealedPrints, sealedSelfie, verdict }) =>
        storeWrite(
          sql`update identity_attempts set verdict = ${verdict}, sealed_document = ${bytesOrNull(sealedDocument)}::bytea,
              sealed_selfie = ${bytesOrNull(sealedSelfie)}::bytea, sealed_prints = ${bytesOrNull(sealedPrints)}::bytea
            where id = ${id} and verdict is null`
        ).pipe(Effect.asVoid),
      withoutPhotos: (attemptId) =>
        storeWrite(
          sql`update identity_attempts set sealed_document = null, sealed_selfie = null where id = ${attemptId}`
        ).pipe(Effect.asVoid)
    })
  })
)
