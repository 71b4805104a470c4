/**
 * Fills in what an earlier version of the service has not written beside its journeys, because only the sealed record says it:
 * the index of the registration, and the dealer that a broker has named. It begins when a node starts, goes on in small batches,
 * and ends when no journey is left; what is done is done, so a start after a crash goes on where the last one was. Until then an
 * older journey is not found by its registration. Nothing is waited for: nodes answer callers meanwhile.
 */
import { Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recordPlace } from "../../actors/journey/actor/JourneyStore.ts"
import { registrationIndex } from "../../actors/journey/actor/start/registrationIndex.ts"
import { dealerNamed } from "../../actors/journey/rules/dealerNamed.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { CompanyKind } from "../../schema/company/Company.ts"
import { CompanyId, JourneyId } from "../../schema/ids.ts"
import { arrayParameter } from "../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { fillInLimits } from "./limits.ts"
import { smallestId } from "../../schema/uuid.ts"

/** The oldest of those that are not filled in, after an id ($1). Of an erased customer there is nothing to open. */
const unfilledStatement = `
select j.id, j.company_id, j.livemode, o.kind, p.sealed, c.wrapped_key
from journeys j join companies o on o.id = j.company_id
  left join personal_records p on p.journey_id = j.id left join customers c on c.id = j.customer_id
where not j.is_filled and j.id > $1::uuid order by j.id limit ${fillInLimits.batch}`

/** A customer who is erased in this moment leaves no index behind: the erasure looks once more (`CustomerErasure.ts`). */
const fillStatement = `
update journeys j set is_filled = true, dealer_company_id = t.dealer,
  registration_index = case when exists (
    select from customers c where c.id = j.customer_id and c.wrapped_key is not null
  ) then t.registration end,
  waiting_since = case when j.waiting_on is not null then coalesce(j.waiting_since, j.created_at) end
from unnest($1::uuid[], $2::bytea[], $3::uuid[]) t (id, registration, dealer)
where j.id = t.id and not j.is_filled`

const UnfilledRow = rowModel({
  id: column.id(JourneyId),
  companyId: column.id(CompanyId),
  livemode: column.bool,
  kind: column.oneOf(CompanyKind),
  sealed: column.orNull(column.bytes),
  wrappedKey: column.orNull(column.bytes)
})
type UnfilledRow = RowOf<typeof UnfilledRow>

const decodeRecord = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      vehicle: Schema.Struct({ registration: Schema.String, dealerCompanyId: Schema.optionalKey(Schema.String) })
    })
  )
)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const status = pollStatusOf("Older journeys to fill in")

    const vehicleOf = Effect.fnUntraced(function* ({ id, sealed, wrappedKey }: UnfilledRow) {
      if (sealed === null || wrappedKey === null) return null
      const key = yield* vault.keyOf(wrappedKey)
      return (yield* decodeRecord(yield* key.open(recordPlace(id), sealed))).vehicle
    })

    /** Nothing of a record that cannot be opened: whoever opens that journey hears of it. */
    const filled = (row: UnfilledRow) =>
      vehicleOf(row).pipe(
        Effect.catchIf(
          ({ _tag }) => _tag !== "StoreUnavailable",
          () => Effect.succeed(null)
        ),
        Effect.map((vehicle) => ({
          id: row.id,
          registration: vehicle === null ? null : registrationIndex(vault, row, vehicle.registration),
          dealer: vehicle === null ? null : dealerNamed({ company: row, livemode: row.livemode }, vehicle)
        }))
      )

    /** The last that was filled in; null when none was left. */
    const fillSome = Effect.fnUntraced(function* (after: string) {
      const rows = yield* UnfilledRow.all(withStatementTimeout(sql.unsafe(unfilledStatement, [after])))
      const lines = yield* Effect.forEach(rows, filled)
      if (lines.length === 0) return null
      yield* withStatementTimeout(
        sql.unsafe(fillStatement, [
          arrayParameter(
            lines.map(({ id }) => id),
            "uuid"
          ),
          arrayParameter(
            lines.map(({ registration }) => registration),
            "bytea"
          ),
          arrayParameter(
            lines.map(({ dealer }) => dealer),
            "uuid"
          )
        ])
      )
      return rows.at(-1)?.id ?? null
    })

    const fillAll = Effect.gen(function* () {
      let after: string | null = smallestId
      while (after !== null) {
        after = yield* Effect.tap(fillSome(after), () => status.ok)
        if (after !== null) yield* Effect.sleep(fillInLimits.pause)
      }
    })

    yield* fillAll.pipe(
      Effect.tapCause(status.failed),
      Effect.retry(Schedule.spaced(fillInLimits.againAfter)),
      Effect.ignore,
      Effect.forkScoped
    )
  })
)
