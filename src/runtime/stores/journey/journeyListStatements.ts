/**
 * The statements of the list of journeys, each of constant text. A statement finds at most a page of journeys in the order of an
 * index, for each value that the index begins with, and puts these few in order: its cost does not grow with the list. Which of
 * them answers what is decided in `PostgresJourneyList.ts`.
 *
 * | parameter | is                                                                                   |
 * |-----------|--------------------------------------------------------------------------------------|
 * | $1, $2    | the company, and the modes                                                           |
 * | $3, $4    | the place after which the page begins: time and id of the journey before, or the end |
 * | $5        | journeys were made before this time: those that have waited since before it were     |
 * | $6        | how many                                                                             |
 * | $7        | journeys were made then or later                                                     |
 * | $8, $9    | statuses or what is waited on (`listed_as`), and types                               |
 * | $10       | what is searched for                                                                 |
 */
import { journeyListLimits } from "../../../schema/company/limits.ts"

/** Everything but what an index begins with. */
const afterPlace = `
  and (j.created_at, j.id) < ($3::text::timestamptz, $4::uuid) and j.created_at < $5::text::timestamptz
  and j.created_at >= $7::text::timestamptz`
const newestFirst = (of: string) => `order by ${of}.created_at desc, ${of}.id desc limit $6`

/** A page of what is chosen, with what its lines are made of. */
const page = (chosen: string) => `
select j.id, j.state, j.waiting_since, p.sealed, c.wrapped_key
from (select distinct f.created_at, f.id from (${chosen}) f ${newestFirst("f")}) f
  join journeys j on j.id = f.id
  left join personal_records p on p.journey_id = j.id left join customers c on c.id = j.customer_id
order by j.created_at desc, j.id desc`

const chosen = "select j.created_at, j.id from journeys j where"

/** The newest journeys of each mode. */
export const allStatement = page(`
select n.* from unnest($2::boolean[]) m (livemode) cross join lateral (
  ${chosen} j.company_id = $1::uuid and j.livemode = m.livemode${afterPlace} ${newestFirst("j")}
) n`)

/** The newest journeys of each mode, each type, and each thing that is waited on. */
export const filteredStatement = page(`
select n.* from unnest($2::boolean[]) m (livemode) cross join unnest($8::text[]) l (listed_as)
  cross join unnest($9::text[]) t (type) cross join lateral (
  ${chosen} j.company_id = $1::uuid and j.livemode = m.livemode and j.listed_as = l.listed_as and j.type = t.type
    ${afterPlace} and ($5 = 'infinity' or j.waiting_since < $5::text::timestamptz) ${newestFirst("j")}
) n`)

/** What a search adds to the filters: nothing that an index of it holds. */
const alsoFiltered = `
  j.company_id = $1::uuid and j.livemode = any($2::boolean[]) and j.listed_as = any($8::text[]) and j.type = any($9::text[])
  ${afterPlace} and ($5 = 'infinity' or j.waiting_since < $5::text::timestamptz)`

/** Of each part of the search the newest. */
const together = (...parts: ReadonlyArray<string>) => page(parts.map((part) => `(${part})`).join("\n union all "))

const ofReference = `
select n.* from unnest($2::boolean[]) m (livemode) cross join lateral (
  ${chosen} j.livemode = m.livemode and j.external_reference collate "C" = $10::text and ${alsoFiltered} ${newestFirst("j")}
) n`

/** In the order of their references, so that many that begin alike cost no more than some. */
const byBeginning = `
select b.created_at, b.id from unnest($2::boolean[]) m (livemode) cross join lateral (
  ${chosen.replace("j.created_at, j.id", "j.*")} j.company_id = $1::uuid and j.livemode = m.livemode
    and j.external_reference is not null
    and j.external_reference collate "C" >= $10::text and j.external_reference collate "C" < $10::text || U&'\\+10FFFF'
  order by j.external_reference collate "C" limit ${journeyListLimits.mostByBeginning}
) b join journeys j on j.id = b.id where ${alsoFiltered}`

/** $10: an id, $11: the same as it was written. */
export const idStatement = together(
  `${chosen} j.id = $10::text::uuid and ${alsoFiltered}`,
  `${chosen} j.id = (select e.journey_id from events e where e.id = $10::text::uuid) and ${alsoFiltered}`,
  `${chosen} j.id in (select l.journey_id from journal l where l.request_id = $10::text::uuid) and ${alsoFiltered}`,
  ofReference.replaceAll("$10", "$11")
)

/** $10: an external reference or its beginning. */
export const referenceStatement = together(ofReference, byBeginning)

/** $11: the registration, as it is indexed for each mode. */
export const textStatement = together(
  ofReference,
  byBeginning,
  `select n.* from unnest($11::bytea[]) r (registration_index) cross join lateral (
    ${chosen} j.registration_index = r.registration_index and ${alsoFiltered} ${newestFirst("j")}
  ) n`
)

/** $10: the customer's address, as it is indexed. */
export const emailStatement = together(
  `${chosen} j.customer_id in (
    select c.id from customers c
    where c.company_id = $1::uuid and c.livemode = any($2::boolean[]) and c.email_index = $10::bytea
  ) and ${alsoFiltered} ${newestFirst("j")}`
)

/** The place of a journey ($2) in the list of its company ($1). */
export const placeStatement = `select created_at::text as place from journeys where id = $2::uuid and company_id = $1::uuid`
