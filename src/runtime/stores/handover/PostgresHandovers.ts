/**
 * The handovers that a named dealer sees, in PostgreSQL. The conditions of all statements are the rule: the journey names the
 * dealer ($1), its handover exists, and the dealer has not been turned off. Name and registration are opened with the customer's key.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { fullName } from "../../../actors/customer/CustomerNames.ts"
import { Handovers, type NamedHandover } from "../../../actors/handover/Handovers.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { registrationIndex } from "../../../actors/journey/actor/start/registrationIndex.ts"
import type { JourneySearch } from "../../../actors/journey/list/journeySearch.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { JourneyUnreadable } from "../../../actors/kernel/StoreError.ts"
import { customerKeyOf, Vault } from "../../../actors/kernel/Vault.ts"
import { CompanyId, JourneyId } from "../../../schema/ids.ts"
import { eventTypes } from "../../../schema/journey/events.ts"
import { storedStart } from "../../../schema/start/storedStart.ts"
import { arrayParameter, bytesOrNull } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"

const seen = `
from journeys j join companies b on b.id = j.company_id
where j.dealer_company_id = $1::uuid and j.handover_at is not null
  and exists (select from companies d where d.id = $1::uuid and d.active)`

/** The handover ($2) behind which a list goes on. */
const placeStatement = `select j.id, j.handover_at ${seen} and j.id = $2::uuid`
const PlaceRow = rowModel({ id: column.text, handoverAt: column.millis })

/** Whose handovers the dealer sees: a registration is indexed for each company by itself. */
const brokersStatement = `select distinct j.company_id ${seen}`
const BrokerRow = rowModel({ companyId: column.id(CompanyId) })

/**
 * The next $4 behind a place ($2, $3): those that go on ($5), those that do not, or both (null). Of them the one with an id ($6), those of a
 * customer's address ($7), or those of a vehicle ($9, as each broker's journeys have it indexed) and of a broker whose name begins so ($8).
 */
const listStatement = `
with page as (
  select j.id, j.state, j.customer_id, b.name as broker, j.handover_at ${seen}
    and ($2::timestamptz is null or (j.handover_at, j.id) < ($2::timestamptz, $3::uuid))
    and ($5::boolean is null or (j.status = 'ACTIVE') = $5::boolean)
    and ($6::uuid is null or j.id = $6::uuid)
    and ($7::bytea is null or exists (select from customers s where s.id = j.customer_id and s.email_index = $7::bytea))
    and ($8::text is null or j.registration_index = any($9::bytea[]) or starts_with(lower(b.name), lower($8::text)))
  order by j.handover_at desc, j.id desc limit $4::int4
)
select page.id, page.state, page.broker, c.wrapped_key, p.sealed
from page left join customers c on c.id = page.customer_id left join personal_records p on p.journey_id = page.id
order by page.handover_at desc, page.id desc`

const findStatement = `select j.id, j.state, b.name as broker ${seen} and j.id = $2::uuid`

const found = { id: column.id(JourneyId), state: column.json, broker: column.text }
const FoundRow = rowModel(found)
const ListedRow = rowModel({ ...found, wrappedKey: column.orNull(column.bytes), sealed: column.orNull(column.bytes) })

const eventsStatement = `
select * from (
  select sequence, type, created_at from events where journey_id = $1::uuid and type like 'delivery.%'
  order by sequence desc limit $2::int4
) newest order by sequence`
const EventRow = rowModel({ type: column.oneOf({ literals: eventTypes }), createdAt: column.millis })

const nothingPersonal = { customerName: null, registration: null }

/** The registrations that are searched for, each as it is indexed. */
const ofVehicles = (indexes: ReadonlyArray<Uint8Array>) => arrayParameter(indexes, "bytea")

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const handoverOf = ({ broker, id, state }: ReturnType<typeof FoundRow.decodeRow>) =>
  decodeJourney(state).pipe(
    Effect.map((journey): NamedHandover => ({ journey, broker })),
    Effect.mapError((cause) => new JourneyUnreadable({ journeyId: id, cause }))
  )

export const layer = Layer.effect(
  Handovers,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault

    const personalOf = Effect.fnUntraced(function* (row: ReturnType<typeof ListedRow.decodeRow>) {
      if (row.wrappedKey === null || row.sealed === null) return nothingPersonal
      // The vault is checked when the service starts, and the place is the record's own: what does not open is damaged.
      const key = yield* customerKeyOf(vault, row.wrappedKey)
      const record = yield* Effect.orDie(key.open(recordPlace(row.id), row.sealed))
      const start = storedStart(JSON.parse(record))
      if (start === null) return nothingPersonal
      return { customerName: fullName(start.customer), registration: start.vehicle.registration }
    })

    /** A journey that cannot be read is reported to the log, and the other handovers are shown. */
    const listed = (row: ReturnType<typeof ListedRow.decodeRow>) =>
      Effect.gen(function* () {
        const handover = yield* handoverOf(row)
        return [{ ...handover, ...(yield* personalOf(row)) }]
      }).pipe(
        Effect.catchTag("JourneyUnreadable", ({ journeyId }) =>
          Effect.as(
            Effect.logError("A stored journey cannot be read and is left out of the handovers", { journeyId }),
            []
          )
        )
      )

    /** What the list is narrowed by, as the statement takes it. */
    const soughtBy = Effect.fnUntraced(function* (dealer: CompanyId, search: JourneySearch | null) {
      switch (search?.kind) {
        case undefined:
          return [null, null, null, ofVehicles([])]
        case "ID":
          return [search.id, null, null, ofVehicles([])]
        case "EMAIL":
          return [null, bytesOrNull(vault.index("email", search.email)), null, ofVehicles([])]
        case "TEXT": {
          const brokers = yield* storeRead(BrokerRow.all(sql.unsafe(brokersStatement, [dealer])))
          const indexes = brokers.map(({ companyId }) =>
            registrationIndex(vault, { companyId, livemode: true }, search.text)
          )
          return [null, null, search.text, ofVehicles(indexes)]
        }
      }
    })

    return Handovers.of({
      list: Effect.fnUntraced(function* (dealer: CompanyId, { after, search, size, standing }) {
        const place =
          after === null ? null : yield* storeRead(PlaceRow.first(sql.unsafe(placeStatement, [dealer, after])))
        // A handover of somebody else is a place in no list of this dealer.
        if (after !== null && place === null) return { content: [], next: null }
        const from = [dealer, place && new Date(place.handoverAt), place && place.id]
        const isOpen = standing && standing === "OPEN"
        const sought = yield* soughtBy(dealer, search)
        const rows = yield* storeRead(ListedRow.all(sql.unsafe(listStatement, [...from, size + 1, isOpen, ...sought])))
        const shown = rows.slice(0, size)
        const content = yield* Effect.forEach(shown, listed)
        return { content: content.flat(), next: rows.length > size ? (shown.at(-1)?.id ?? null) : null }
      }),
      find: Effect.fnUntraced(function* (dealer: CompanyId, journeyId: JourneyId) {
        const row = yield* storeRead(FoundRow.first(sql.unsafe(findStatement, [dealer, journeyId])))
        if (row === null) return null
        const events = yield* storeRead(
          EventRow.all(sql.unsafe(eventsStatement, [journeyId, storeLimits.entriesOfCase]))
        )
        return { ...(yield* handoverOf(row)), events: events.map(({ createdAt, type }) => ({ at: createdAt, type })) }
      })
    })
  })
)
