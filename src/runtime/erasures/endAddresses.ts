/**
 * Ends again the addresses of customers that were corrected. A restored backup has the old address, and the journal cannot tell the new
 * one: it would be personal data outside the database, in files that outlive every backup, and an erasure would not reach it; sealed with
 * the customer's key it would open beside any backup of that key. So nothing is mailed to the old address, its links and sessions end, and it
 * leads to the customer no more. The team hears of each mail that does not leave, and corrects the address once more; the link is then mailed.
 */
import { addressOfNobody } from "../postgres/addressOfNobody.ts"
import { byStatement, isBefore, timesOf, uuidsOf, withLine } from "./ending.ts"

export const endAddresses = byStatement<"ADDRESS">(
  withLine(
    `update customers c set address_ended_at = now(),
       email_index = ${addressOfNobody}
     from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
     where c.id = t.id and ${isBefore("c.address_since")} returning c.id, c.company_id`,
    "customer.address_ended",
    "json_build_object('customerReference', id)",
    `mine as materialized (
       select j.id from changed c join journeys j on j.company_id = c.company_id and j.customer_id = c.id
     ), sessions_gone as (
       delete from customer_sessions where journey_id in (select id from mine)
     ), links_gone as (
       delete from sign_in_links where journey_id in (select id from mine)
     ),`
  ),
  (lines) => [uuidsOf(lines, ({ customerId }) => customerId), timesOf(lines)]
)
