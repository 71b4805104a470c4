/**
 * The statements of the list that callers read, each of constant text. As in `journeyListStatements.ts` a statement finds a piece of
 * the list in the order of an index, for each value that the index begins with, and puts these few in order. Which of them
 * answers what is decided in `journeyPages.ts`.
 *
 * | parameter  | is                                                                                     |
 * |------------|----------------------------------------------------------------------------------------|
 * | $1, $2     | the company, and the mode                                                              |
 * | $3, $4     | the place after which the piece begins, its moment in microseconds; null: the end      |
 * | $5         | the moment after which the journeys were made, or ended                                |
 * | $6         | how many are found, with those that are passed over                                    |
 * | $7, $8     | what is waited on or how it ended (`listed_as`), and types                             |
 * | $9, $10    | the externalReference, and the customer                                                |
 * | the last   | how many of those that are found are passed over                                       |
 */
import { microsOf, momentOf } from "../../postgres/places.ts"

/** What a list is ordered by. */
export type OrderedBy = "created_at" | "ended_at"

const between = (by: OrderedBy) => `
  and (j.${by}, j.id) < (coalesce(${momentOf("$3")}, 'infinity'::timestamptz), $4::uuid)
  and j.${by} > $5::text::timestamptz order by j.${by} desc, j.id desc limit $6::int8`

const chosen = (by: OrderedBy) => `
select j.${by} as at, j.id from journeys j where j.company_id = $1::uuid and j.livemode = $2::boolean`

/** All journeys, the newest first. */
export const newestFirst = `${chosen("created_at")}${between("created_at")}`

/** The journeys of some types that wait on some things or have ended in some ways. */
export const byWhatTheyAre = (by: OrderedBy): string => `
select n.* from unnest($7::text[]) l (listed_as) cross join unnest($8::text[]) t (type) cross join lateral (
  ${chosen(by)} and j.listed_as = l.listed_as and j.type = t.type${between(by)}
) n`

const alsoNarrowed = "and j.listed_as = any($7::text[]) and j.type = any($8::text[])"

/** The journeys with a reference. */
export const byTheirReference = (by: OrderedBy): string =>
  `${chosen(by)} and j.external_reference collate "C" = $9::text ${alsoNarrowed}${between(by)}`

/** The journeys of a customer, and with a reference if there is one. */
export const byTheirCustomer = (by: OrderedBy): string => `${chosen(by)} and j.customer_id = $10::uuid
  and ($9::text is null or j.external_reference collate "C" = $9::text) ${alsoNarrowed}${between(by)}`

/** A piece of what is found; `passed` is the parameter that says how many are passed over. */
export const pieceStatement = (found: string, passed: number): string => `
select j.id, j.version, j.state, ${microsOf("f.at")}
from (
  select f.at, f.id from (${found}) f
  order by f.at desc, f.id desc limit $6::int8 - $${passed}::int8 offset $${passed}::int8
) f join journeys j on j.id = f.id
order by f.at desc, f.id desc`

/** How many are found, up to $6 of them. */
export const countStatement = (found: string): string =>
  `select count(*)::int as total from (select 1 from (${found}) f limit $6::int8) counted`
