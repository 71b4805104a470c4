/**
 * The list of journeys that callers read, in PostgreSQL: chooses the statement that answers with one index. The statements are in
 * `journeyPageStatements.ts`. The list that a company's people read is another one (`PostgresJourneyList.ts`).
 */
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { JourneysFilter, ListQuery, ListedJourneys } from "../../../actors/journey/actor/JourneyStore.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { JourneyId } from "../../../schema/ids.ts"
import { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import { listLimits } from "../../../schema/limits.ts"
import { waitingOn } from "../../../schema/journey/steps.ts"
import { totalOf } from "../../../schema/page.ts"
import type { PlaceInTime } from "../../../schema/decoding/place.ts"
import { textArray } from "../../postgres/parameters.ts"
import { microsColumn } from "../../postgres/places.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import * as statements from "./journeyPageStatements.ts"
import { largestId, smallestId } from "../../../schema/uuid.ts"

const PieceRow = rowModel({ id: column.id(JourneyId), version: column.number, state: column.json, ...microsColumn })
const TotalRow = rowModel({ total: column.number })

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const ended = JourneyStatus.literals.filter((status) => status !== "ACTIVE")

/** Rows of a time before `waiting_on` was known are listed as their status. */
const active: ReadonlyArray<string> = [...waitingOn, "ACTIVE"]

const isByEnd = ({ endedAfter, endedBefore }: JourneysFilter): boolean => endedAfter !== null || endedBefore !== null

/** The values of `listed_as` that the filter lets through. */
const listedAs = (filter: JourneysFilter): ReadonlyArray<string> => {
  const { nextAction, status } = filter
  const ofStatus = status === null ? [...active, ...ended] : status === "ACTIVE" ? active : [status]
  const ofAction = nextAction === null ? ofStatus : ofStatus.filter((one) => one === nextAction)
  return isByEnd(filter) ? ofAction.filter((one) => !active.includes(one)) : ofAction
}

/** What is found, and the parameters of it after the first six. */
const foundBy = (filter: JourneysFilter): readonly [found: string, parameters: ReadonlyArray<unknown>] => {
  const { customerReference, externalReference, nextAction, status, type } = filter
  const by: statements.OrderedBy = isByEnd(filter) ? "ended_at" : "created_at"
  const whatTheyAre = [textArray(listedAs(filter)), textArray(type === null ? JourneyType.literals : [type])]
  if (customerReference !== null) {
    return [statements.byTheirCustomer(by), [...whatTheyAre, externalReference, customerReference]]
  }
  if (externalReference !== null) return [statements.byTheirReference(by), [...whatTheyAre, externalReference]]
  const isNarrowed = status !== null || type !== null || nextAction !== null || isByEnd(filter)
  return isNarrowed ? [statements.byWhatTheyAre(by), whatTheyAre] : [statements.newestFirst, []]
}

/**
 * Where the list begins: at the place that was asked for, or at `createdBefore` or `endedBefore` if that is farther down. As a condition
 * of its own that would be tried on every entry of the index from the top on.
 */
const beginningOf = ({ createdBefore, endedBefore }: JourneysFilter, after: PlaceInTime | null): PlaceInTime | null => {
  const until = endedBefore ?? createdBefore
  if (until === null) return after
  const before = { micros: String(until * 1000), id: smallestId }
  return after === null || BigInt(before.micros) < BigInt(after.micros) ? before : after
}

/** A list as a statement: $6, the number that is looked for, is left to whoever asks. */
export const listedBy = ({ companyId, livemode }: Scope, { filter, from }: ListQuery) => {
  const begins = beginningOf(filter, "after" in from ? from.after : null)
  const [found, more] = foundBy(filter)
  const since = filter.endedAfter ?? filter.createdAfter
  const parameters = (most: number): ReadonlyArray<unknown> => [
    companyId,
    livemode,
    begins === null ? null : BigInt(begins.micros),
    begins?.id ?? largestId,
    since === null ? "-infinity" : new Date(since).toISOString(),
    most,
    ...more
  ]
  return { found, parameters }
}

/** The journeys of a page. A row that cannot be read is reported in the log and left out; its neighbours are shown. */
const readable = (rows: ReadonlyArray<{ readonly id: JourneyId; readonly state: unknown }>) =>
  Effect.map(
    Effect.forEach(rows, ({ id, state }) =>
      decodeJourney(state).pipe(
        Effect.map((journey) => [journey]),
        Effect.catch(() =>
          Effect.as(Effect.logError("A stored journey cannot be read and is left out of a list", { journeyId: id }), [])
        )
      )
    ),
    (journeys) => journeys.flat()
  )

export const listJourneys = (sql: SqlClient.SqlClient) =>
  Effect.fn("JourneyStore.list")(function* (
    scope: Scope,
    query: ListQuery
  ): Effect.fn.Return<ListedJourneys, StoreUnavailable> {
    const { from, size } = query
    const { found, parameters } = listedBy(scope, query)
    const counted =
      "after" in from
        ? null
        : yield* storeRead(
            TotalRow.first(sql.unsafe(statements.countStatement(found), parameters(listLimits.mostCounted + 1)))
          )
    const total = counted === null ? null : totalOf(counted.total)
    const passed = "after" in from ? 0 : from.page * size
    if (total !== null && passed >= total.totalElements) return { content: [], total, next: null }
    // One more than is shown tells whether any follow.
    const asked = [...parameters(passed + size + 1), passed]
    const rows = yield* storeRead(PieceRow.all(sql.unsafe(statements.pieceStatement(found, asked.length), asked)))
    const shown = rows.slice(0, size)
    const last = shown.at(-1)
    const next = last !== undefined && rows.length > size ? { micros: last.micros, id: last.id } : null
    return { content: yield* readable(shown), total, next }
  })
