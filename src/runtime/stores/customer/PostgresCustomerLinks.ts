/**
 * Mails with a new link, written for the postman. The database counts the mails of the last hour, so the limit holds for all
 * nodes and through restarts. Of two requests at once the second finds the mail of the first, and writes none.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerLinks } from "../../../actors/customer/CustomerLinks.ts"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { repeatableWrite } from "../../postgres/storeCalls.ts"

const mailStatement = `
insert into mails (id, cause, kind, company_id, livemode, journey_id, facts, created_at, due_at, traceparent)
select $1, j.id || '|asked|' || m.made, $3, j.company_id, j.livemode, j.id, $4::json, $5, $5, $8
from journeys j, lateral (
  select count(*) as made, count(*) filter (where created_at > $6) as lately from mails
  where journey_id = j.id and cause like j.id || '|asked|%'
) m
where j.id = $2 and j.status = 'ACTIVE' and m.lately < $7
on conflict (cause) do nothing
returning id`

export const layer = Layer.effect(
  CustomerLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids
    return CustomerLinks.of({
      mailNew: Effect.fnUntraced(function* (journeyId, step, again) {
        const now = yield* Clock.currentTimeMillis
        const countedFrom = now - Duration.toMillis(customerLimits.linkMailsCountedFor)
        const made = yield* repeatableWrite(
          sql.unsafe(mailStatement, [
            ids.next(),
            journeyId,
            step,
            JSON.stringify({ again, attempt: 1, newLink: true }),
            new Date(now),
            new Date(countedFrom),
            customerLimits.mostLinkMails,
            yield* currentTraceparent
          ])
        )
        return made.length > 0 ? "MAILED" : "NOT_MAILED"
      })
    })
  })
)
