/**
 * Mails with a new link, owed in PostgreSQL. The limit is counted there, too: it holds for all nodes and through
 * restarts, and of two requests at once the second finds the cause taken.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerLinks, mostAskedAnHour } from "../../actors/customer/CustomerLinks.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { repeatableWrite } from "../postgres/storeCalls.ts"

const mailStatement = `
insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at)
select $1, j.id || '|asked|' || m.made, $3, j.company_id, j.id, $4::json, $5, $5
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
        const hourAgo = now - Duration.toMillis(Duration.hours(1))
        const made = yield* repeatableWrite(
          sql.unsafe(mailStatement, [
            ids.next(),
            journeyId,
            step,
            JSON.stringify({ again, attempt: 1 }),
            new Date(now),
            new Date(hourAgo),
            mostAskedAnHour
          ])
        )
        return made.length > 0 ? "MAILED" : "NOT_MAILED"
      })
    })
  })
)
