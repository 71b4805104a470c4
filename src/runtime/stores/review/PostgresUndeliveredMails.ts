/** The customer's mail that did not arrive, or was reported as spam, in PostgreSQL: few mails of one journey, by its index. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { UndeliveredMails } from "../../../actors/review/UndeliveredMails.ts"
import { UndeliveredMailState } from "../../../schema/journey/actions.ts"
import { CustomerMailKind } from "../../../schema/mail/mailKinds.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const newestStatement = `
with to_customer as (select * from mails where journey_id = $1::uuid and kind = any($2::text[]))
select kind, coalesce(sent_at, given_up_at, created_at) as at, case
  when returned_as = 'BOUNCE' then 'BOUNCED' when returned_as = 'COMPLAINT' then 'COMPLAINED_OF' when given_up_at is not null then 'GIVEN_UP' else 'TRIED_AGAIN' end as state
from to_customer m
where (returned_as is not null or given_up_at is not null or (due_at is not null and tries > 0 and not in_hand))
  and not exists (
    select from to_customer later where later.created_at > m.created_at and later.sent_at is not null and later.returned_as is null
  )
order by created_at desc, kind = 'WELCOME', id limit 1`

const MailRow = rowModel({
  kind: column.oneOf(CustomerMailKind),
  state: column.oneOf(UndeliveredMailState),
  at: column.millis
})

const toCustomer = textArray(CustomerMailKind.literals)

export const layer = Layer.effect(
  UndeliveredMails,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return UndeliveredMails.of({
      newest: (journeyId) => storeRead(MailRow.first(sql.unsafe(newestStatement, [journeyId, toCustomer])))
    })
  })
)
