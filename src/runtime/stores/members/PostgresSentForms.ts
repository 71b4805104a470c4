/** Forms that were sent, in PostgreSQL: of two sends at once the primary key lets one be the first. */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SentForms } from "../../../actors/members/SentForms.ts"
import { storeWrite } from "../../postgres/storeCalls.ts"

const sendStatement = `
insert into sent_forms (id, sent_at) values ($1::uuid, $2::timestamptz) on conflict do nothing returning id`

export const layer = Layer.effect(
  SentForms,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return SentForms.of({
      isFirst: Effect.fnUntraced(function* (formId) {
        const now = yield* Clock.currentTimeMillis
        return (yield* storeWrite(sql.unsafe(sendStatement, [formId, new Date(now)]))).length > 0
      })
    })
  })
)
