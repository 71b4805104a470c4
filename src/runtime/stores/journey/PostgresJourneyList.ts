/**
 * The list of a company's journeys in PostgreSQL: chooses the statement that answers with one index, and opens the sealed records
 * of the journeys of one page, which hold names and registrations. The statements are in `journeyListStatements.ts`.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { fullName } from "../../../actors/customer/CustomerNames.ts"
import { recordPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import { registrationIndex } from "../../../actors/journey/actor/start/registrationIndex.ts"
import { JourneyList, type JourneyListAsk } from "../../../actors/journey/list/JourneyList.ts"
import type { JourneySearch } from "../../../actors/journey/list/journeySearch.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyFilter } from "../../../schema/company/ListedJourney.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { waitingOn } from "../../../schema/journey/steps.ts"
import { JourneyId, type CompanyId } from "../../../schema/ids.ts"
import { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import { timestamp } from "../../../schema/moment.ts"
import { arrayParameter, bytesOrNull } from "../../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import * as statements from "./journeyListStatements.ts"
import { smallestId } from "../../../schema/uuid.ts"

const ListedRow = rowModel({
  id: column.id(JourneyId),
  state: column.json,
  waitingSince: column.orNull(column.millis),
  sealed: column.orNull(column.bytes),
  wrappedKey: column.orNull(column.bytes)
})
type ListedRow = RowOf<typeof ListedRow>

const PlaceRow = rowModel({ place: column.text })

const decodeJourney = Schema.decodeUnknownEffect(Journey)
const decodeRecord = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      customer: Schema.Struct({ firstName: Schema.String, lastName: Schema.String }),
      vehicle: Schema.Struct({ registration: Schema.String })
    })
  )
)

/** The list begins before every journey, and ends behind every one. */
const beginning = "infinity"
const end = "-infinity"

const bound = (moment: string | undefined, none: string): string =>
  moment === undefined ? none : timestamp(millisOf(moment))

const ended = JourneyStatus.literals.filter((status) => status !== "ACTIVE")

/** The values of `listed_as` that the filter lets through. */
const listedAs = ({ status, waitingOn: awaited, waitingSince }: JourneyFilter): ReadonlyArray<string> => {
  const isOfActive = awaited !== undefined || waitingSince !== undefined
  if (isOfActive && status !== undefined && status !== "ACTIVE") return []
  if (awaited !== undefined) return [awaited]
  if (isOfActive || status === "ACTIVE") return waitingOn
  return status === undefined ? [...waitingOn, ...ended] : [status]
}

const modesOf = ({ mode }: JourneyFilter): ReadonlyArray<boolean> =>
  mode === undefined ? [true, false] : [mode === "LIVE"]

/** The index of the newest journeys has the mode and the time of the start: to ask for these alone needs no other index. */
const isUnfiltered = ({ mode: _mode, since: _since, until: _until, ...others }: JourneyFilter): boolean =>
  Object.values(others).every((filter) => filter === undefined)

/** The statement that answers, and its parameters after those that all have. */
const statementFor = (
  vault: Vault["Service"],
  companyId: CompanyId,
  { filter, search }: JourneyListAsk
): readonly [text: string, parameters: ReadonlyArray<unknown>] => {
  if (search === null && isUnfiltered(filter)) return [statements.allStatement, []]
  const filtered = [
    arrayParameter(listedAs(filter), "text"),
    arrayParameter(filter.type === undefined ? JourneyType.literals : [filter.type], "text")
  ]
  if (search === null) return [statements.filteredStatement, filtered]
  const [text, sought] = statementOf(vault, companyId, modesOf(filter), search)
  return [text, [...filtered, ...sought]]
}

const statementOf = (
  vault: Vault["Service"],
  companyId: CompanyId,
  modes: ReadonlyArray<boolean>,
  search: JourneySearch
): readonly [text: string, parameters: ReadonlyArray<unknown>] => {
  switch (search.kind) {
    case "ID":
      return [statements.idStatement, [search.id, search.text]]
    case "EMAIL":
      return [statements.emailStatement, [bytesOrNull(vault.index("email", search.email))]]
    case "TEXT": {
      if (!search.isPersonal) return [statements.referenceStatement, [search.text]]
      const indexes = modes.map((livemode) => registrationIndex(vault, { companyId, livemode }, search.text))
      return [statements.textStatement, [search.text, arrayParameter(indexes, "bytea")]]
    }
  }
}

const makeLineOf = Effect.map(Vault, (vault) => {
  const personalOf = Effect.fnUntraced(function* ({ id, sealed, wrappedKey }: ListedRow) {
    if (sealed === null || wrappedKey === null) return { customerName: null, registration: null }
    const key = yield* vault.keyOf(wrappedKey)
    const { customer, vehicle } = yield* decodeRecord(yield* key.open(recordPlace(id), sealed))
    return { customerName: fullName(customer), registration: vehicle.registration }
  })

  /** Nothing where the journey cannot be read: its neighbours are shown. */
  return (row: ListedRow) =>
    Effect.gen(function* () {
      const journey = yield* decodeJourney(row.state)
      return [{ journey, waitingSince: row.waitingSince, ...(yield* personalOf(row)) }]
    }).pipe(
      Effect.catch(() =>
        Effect.as(Effect.logError("A stored journey cannot be read and is left out", { journeyId: row.id }), [])
      )
    )
})

export const layer = Layer.effect(
  JourneyList,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const lineOf = yield* makeLineOf

    /** A page that follows no other begins before `until`: behind the smallest id of that moment. */
    const placeAfter = (companyId: CompanyId, { after, filter }: JourneyListAsk) =>
      after === null
        ? Effect.succeed({ place: bound(filter.until, beginning) })
        : PlaceRow.first(sql.unsafe(statements.placeStatement, [companyId, after]))

    return JourneyList.of({
      list: Effect.fn("JourneyList.list")(function* (companyId, ask) {
        const { after, filter, size } = ask
        const begins = yield* storeRead(placeAfter(companyId, ask))
        if (begins === null) return { content: [], next: null }
        const [text, parameters] = statementFor(vault, companyId, ask)
        const rows = yield* storeRead(
          ListedRow.all(
            sql.unsafe(text, [
              companyId,
              arrayParameter(modesOf(filter), "bool"),
              begins.place,
              after ?? smallestId,
              bound(filter.waitingSince, beginning),
              // One more than is shown says whether another page follows.
              size + 1,
              bound(filter.since, end),
              ...parameters
            ])
          )
        )
        const shown = rows.slice(0, size)
        const content = yield* Effect.forEach(shown, lineOf)
        return { content: content.flat(), next: rows.length > size ? (shown.at(-1)?.id ?? null) : null }
      })
    })
  })
)
