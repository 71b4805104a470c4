/**
 * What outside identity providers sent with their results, in PostgreSQL. Which result speaks for its journey is said in
 * `attemptStatements.ts`; when a row's content is removed, by retention and erasure.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderResults, reviewUrlPlace } from "../../../actors/checks/identity/ProviderResults.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { bytesOrNull } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { isResultUnderReview } from "./attemptStatements.ts"

const reviewUrlStatement = `
select r.id, r.sealed_review_url, c.wrapped_key
from provider_results r join journeys j on j.id = r.journey_id
  join customers c on c.id = j.customer_id and c.wrapped_key is not null
where r.journey_id = $1::uuid and r.sealed_review_url is not null and ${isResultUnderReview("j", "r")}`

const ReviewUrlRow = rowModel({ id: column.text, sealedReviewUrl: column.bytes, wrappedKey: column.bytes })

export const layer = Layer.effect(
  ProviderResults,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    return ProviderResults.of({
      keep: ({ asked: { check, journeyId }, at, messageId, sealedPortrait, sealedReviewUrl }) =>
        storeWrite(
          sql`insert into provider_results
              (id, journey_id, customer_id, check_number, sealed_portrait, sealed_review_url, at)
            select ${messageId}::uuid, j.id, j.customer_id, ${check}::int, ${bytesOrNull(sealedPortrait)}::bytea,
              ${bytesOrNull(sealedReviewUrl)}::bytea, ${new Date(at)}::timestamptz
            from journeys j join customers c on c.id = j.customer_id and c.wrapped_key is not null
            where j.id = ${journeyId}
            on conflict (id) do nothing`
        ).pipe(Effect.asVoid),
      forget: (messageId) => storeWrite(sql`delete from provider_results where id = ${messageId}`).pipe(Effect.asVoid),
      reviewUrl: Effect.fnUntraced(function* (journeyId) {
        const row = yield* storeRead(ReviewUrlRow.first(sql.unsafe(reviewUrlStatement, [journeyId])))
        if (row === null) return null
        const key = yield* customerKeyOf(vault, row.wrappedKey)
        return yield* Effect.orDie(key.open(reviewUrlPlace(row.id), row.sealedReviewUrl))
      })
    })
  })
)
