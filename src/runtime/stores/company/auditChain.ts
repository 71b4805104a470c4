/**
 * The check of the audit log's chain: whether each line still has the place and the hash that the database gave it when it was
 * written. The hashes are computed here and not by the function of the database, which whoever changes lines could change too.
 */
import { column, rowModel } from "../../postgres/rows.ts"
import { storeLimits } from "../kernel/limits.ts"

/** As in `migrations/0034_auditChain.ts`. */
const hash = `sha256(before_hash || convert_to(
  json_build_array(id, company_id, number, actor, action, details, (extract(epoch from at) * 1000000)::bigint)::text, 'UTF8'))`

/** The lines after number $2 of the company $1, whose hash was $3; $3 null takes the hash that it has. */
export const auditChainStatement = `
with anchor as (
  select (select hash from audit where company_id = $1::uuid and number = $2::bigint) as kept
), lines as (
  select a.*, lag(a.number, 1, $2::bigint) over w as before_number,
    lag(a.hash, 1, coalesce($3::bytea, anchor.kept, ''::bytea)) over w as before_hash
  from (
    select * from audit where company_id = $1::uuid and number > $2::bigint order by number limit ${storeLimits.auditLinesChecked}
  ) a, anchor window w as (order by a.number)
), judged as (
  select number, hash, case when number <> before_number + 1 then 'MISSING' when hash <> ${hash} then 'CHANGED' end as wrong
  from lines
), broken as (
  select $2::bigint as number, case when kept is null then 'MISSING' else 'CHANGED' end as reason from anchor
  where $2::bigint > 0 and (kept is null or kept <> $3::bytea)
  union all
  (select number, wrong from judged where wrong is not null order by number limit 1)
)
select (select count(*)::int4 from judged) as checked, last.number as last_number, encode(last.hash, 'hex') as last_hash,
  first.number as broken_number, first.reason as broken_reason
from (select) one left join lateral (select number, hash from judged order by number desc limit 1) last on true
  left join lateral (select number, reason from broken order by number limit 1) first on true`

export const AuditCheckRow = rowModel({
  checked: column.number,
  lastNumber: column.orNull(column.wholeNumber),
  lastHash: column.orNull(column.text),
  brokenNumber: column.orNull(column.wholeNumber),
  brokenReason: column.orNull(column.oneOf({ literals: ["CHANGED", "MISSING"] }))
})
