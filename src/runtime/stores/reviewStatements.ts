/**
 * How reviews are found: a journey's row says which review is open, and its events say since when. The index
 * `journeys_in_review` holds the journeys that have an open review.
 */
import { beginningOf } from "../../actors/review/review.ts"

const isBeginning = `type in (${Object.values(beginningOf)
  .map((type) => `'${type}'`)
  .join(", ")})`

/** The event that began a journey's latest review. */
const latestOf = (journey: string) =>
  `select id, type, created_at from events where journey_id = ${journey} and ${isBeginning} order by sequence desc limit 1`

/** Of a company ($1) and mode ($2). */
export const waiting = `from (
  select j.id as journey_id, j.state, r.id, r.type, r.created_at
  from journeys j cross join lateral (${latestOf("j.id")}) r
  where j.company_id = $1::uuid and j.livemode = $2::boolean and j.review is not null
) reviews`

export const oldestFirst = "created_at, id"

/** The review ($2) of a company ($1), and the message of an id ($3), if its journey has taken it. */
export const findReviewStatement = `
select j.id as journey_id, j.state, e.id, e.type, e.created_at,
  e.id = (select id from (${latestOf("j.id")}) r) as is_latest,
  (select l.message from journal l where l.journey_id = j.id and l.message_id = $3::uuid) as told
from events e join journeys j on j.id = e.journey_id
where e.id = $2::uuid and e.company_id = $1::uuid and e.${isBeginning}`
