/**
 * Ends again the sessions of customers. A journey that has ended may run again in a restored backup, and goes on from there; what
 * its customer was signed in with does not: a new link, which goes to the address on file, lets them go on. In a database that knows of
 * the end the sessions stay, because they show the customer how the journey ended.
 */
import { byStatement, bytesOf, uuidsOf } from "./ending.ts"

export const endCustomerSessions = byStatement<"CUSTOMER_SESSION">(
  `with links_used as (
    update sign_in_links set used_at = now() where token_hash = any($2::bytea[]) and used_at is null
  )
  delete from customer_sessions where id = any($1::uuid[]) returning id`,
  (lines) => [uuidsOf(lines, ({ sessionId }) => sessionId), bytesOf(lines, ({ linkHash }) => linkHash)]
)

export const endSessionsOfJourneys = byStatement<"JOURNEY">(
  `with running as materialized (
    select id from journeys where id = any($1::uuid[]) and status = 'ACTIVE'
  ), links_gone as (
    delete from sign_in_links where journey_id in (select id from running)
  )
  delete from customer_sessions where journey_id in (select id from running) returning id`,
  (lines) => [uuidsOf(lines, ({ journeyId }) => journeyId)]
)
