/** The statements that read a journey's life from where it is stored. Each takes the journey as its first parameter. */

/** Which line of the journal something belongs to that only says when it was made. */
const lineAt = (at: string) =>
  `(select coalesce(max(l.version), 1) from journal l where l.journey_id = $1::uuid and l.at <= ${at})`

/** What the notes were sealed with; none of a customer who was erased, and whose notes are gone. */
export const keyStatement = `
select c.wrapped_key from journeys j join customers c on c.id = j.customer_id
where j.id = $1::uuid and c.wrapped_key is not null`

export const journal = "from journal where journey_id = $1::uuid"

/** Events of the lines from $2 to $3, with their deliveries: a company and mode have one endpoint. */
export const eventsStatement = `
select e.*, d.status, d.attempts, d.due_at, d.delivered_at
from (
  select id, sequence, type, body, created_at, company_id, livemode, coalesce(version, ${lineAt("created_at")}) as line
  from events where journey_id = $1::uuid
) e
left join webhook_endpoints w on w.company_id = e.company_id and w.livemode = e.livemode
left join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
where e.line between $2::int4 and $3::int4
order by e.sequence`

/** Mails of the lines from $2 to $3. */
export const mailsStatement = `
select * from (
  select id, kind, tries, created_at, due_at, sent_at, given_up_at, ${lineAt("created_at")} as line
  from mails where journey_id = $1::uuid
) m
where line between $2::int4 and $3::int4
order by created_at, sent_at, id`

/** What the journey's completion came to in the stock. */
export const saleStatement = `select outcome, ${lineAt("at")} as line from vehicle_sales where journey_id = $1::uuid`
