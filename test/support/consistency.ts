/**
 * Compares a database with the pure model: every journey's row must be the fold of its journal, every event must be the
 * one that the fold emits, with correct numbers and times (INV-1 to INV-4, INV-7, INV-8, and INV-9 for holds), and the
 * deliveries must agree with the events. The tests compare what was promised to callers.
 */
import { isDeepStrictEqual } from "node:util"
import type { StartFacts } from "../../src/actors/journey/rules/decideStart.ts"
import type { Journey } from "../../src/actors/journey/rules/state/Journey.ts"
import { chargedWallets } from "../../src/actors/journey/rules/billing.ts"
import { holdsFor } from "../../src/actors/journey/rules/preconditions.ts"
import { nextAlarm } from "../../src/actors/journey/rules/timers.ts"
import type { EventType } from "../../src/schema/journey/events.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import { comparable, folded, type History } from "../actors/journey/rules/histories.ts"
import { outside, possible } from "../actors/journey/rules/startedJourneys.ts"
import { deliveryInconsistencies } from "./deliveryConsistency.ts"

type Query = <Row extends object>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

export interface StoredLine {
  readonly version: number
  readonly message_id: string
  readonly message: JourneyMessage
  readonly at: Date
}

export interface StoredLife {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly state: Journey
  readonly wake_at: Date | null
  readonly created_at: Date
  readonly journal: ReadonlyArray<StoredLine>
  readonly events: ReadonlyArray<{
    readonly sequence: number
    readonly id: string
    readonly type: EventType
    readonly body: string
    readonly created_at: Date
    /** The version of the journey that the event belongs to. */
    readonly version: number
  }>
  readonly records: number
  readonly holds: number
  /** The credits that were charged for the journey. */
  readonly charged: number
  readonly isWelcomed: boolean
}

/** Lines and events as JSON has them: with their times as text. */
type Told<One extends object> = { readonly [Name in keyof One]: One[Name] extends Date ? string : One[Name] }
type ToldLife = Omit<StoredLife, "journal" | "events"> & {
  readonly journal: ReadonlyArray<Told<StoredLine>>
  readonly events: ReadonlyArray<Told<StoredLife["events"][number]>>
}

/** Everything that is stored about some journeys, or about all: in one statement, because journeys may go on meanwhile. */
export const storedLives = async (query: Query, ids?: ReadonlyArray<string>): Promise<ReadonlyArray<StoredLife>> => {
  const rows = await query<ToldLife>(
    `select j.id, version, status, state, wake_at, j.created_at,
      (select count(*)::int from personal_records p where p.journey_id = j.id) as records,
      (select count(*)::int from wallet_holds h where h.journey_id = j.id) as holds,
      (select coalesce(-sum(amount), 0)::int from wallet_ledger l where l.journey_id = j.id) as charged,
      exists (select from mails m where m.journey_id = j.id and m.kind = 'WELCOME') as "isWelcomed",
      (select coalesce(json_agg(l order by l.version), '[]') from (
        select version, message_id, message, at from journal where journey_id = j.id
      ) l) as journal,
      (select coalesce(json_agg(e order by e.sequence), '[]') from (
        select sequence, id, type, body, created_at, version from events where journey_id = j.id
      ) e) as events
    from journeys j ${ids === undefined ? "" : "where j.id = any($1::uuid[])"}`,
    // Safe to splice into a list, because the service makes the ids.
    ids === undefined ? [] : [`{${ids.join()}}`]
  )
  return rows.map((row) =>
    Object.assign(row, {
      journal: row.journal.map((line) => Object.assign(line, { at: new Date(line.at) })),
      events: row.events.map((event) => Object.assign(event, { created_at: new Date(event.created_at) }))
    })
  )
}

/** The facts of a start, as far as a state still shows them. Right for starts without a decision. */
export const factsFrom = ({ events, isWelcomed, state }: StoredLife): StartFacts => ({
  ...state,
  isNewCustomer: isWelcomed,
  decision: null,
  // The start itself asks for a check that is made here; an outside provider starts a check first.
  check: events.some(({ type, version }) => version === 1 && type === "identity.requested") ? possible : outside
})

/** The life of a journey by its journal, played through the pure model at the recorded times. */
export const refolded = (life: StoredLife, facts: StartFacts = factsFrom(life)): History =>
  folded({
    facts,
    startedAt: life.journal[0]?.at.getTime() ?? 0,
    letters: life.journal
      .slice(1)
      .map(({ at, message, message_id }) => ({ messageId: message_id, message, at: at.getTime() }))
  })

/** What is wrong with a stored journey, in words. */
export const wrongsOf = (life: StoredLife, facts?: StartFacts): ReadonlyArray<string> => {
  const { events, journal, state } = life
  const history = refolded(life, facts)
  const isSo: ReadonlyArray<readonly [boolean, string]> = [
    [life.version === journal.length, `version ${life.version} after ${journal.length} lines`],
    [
      journal.every(({ version }, at) => version === at + 1),
      `versions ${journal.map(({ version }) => version).join()}`
    ],
    [new Set(journal.map((line) => line.message_id)).size === journal.length, "a message was handled twice"],
    [history.entries.every(({ outcome }) => outcome._tag === "Step"), "the journal holds what the model refuses"],
    [isDeepStrictEqual(state, JSON.parse(JSON.stringify(history.journey))), "the row is not the fold of its journal"],
    [life.status === state.status, "the columns and the state differ"],
    [(life.wake_at?.getTime() ?? null) === nextAlarm(state), "the alarm is not the state's"],
    [
      isDeepStrictEqual(comparable(events.map(asRecorded)), comparable(history.events)),
      "the events are not the fold's"
    ],
    [
      events.every(({ body, id }) => (JSON.parse(body) as { readonly id: string }).id === id),
      "an event's id is not its body's"
    ],
    [
      events.every(({ created_at }, at) => at === 0 || created_at > (events[at - 1]?.created_at ?? created_at)),
      "times of events do not rise"
    ],
    [life.records === 1, `${life.records} personal records`]
  ]
  return isSo.flatMap(([holds, what]) => (holds ? [] : [`${life.id}: ${what}`]))
}

const asRecorded = (event: StoredLife["events"][number]) => ({ ...event, createdAt: event.created_at.getTime() })

/**
 * The holds that a journey must have: credit that the start reserved and that was not charged yet, while the journey is
 * active.
 */
const heldFor = (state: Journey): number =>
  state.livemode && state.status === "ACTIVE" ? holdsFor(state.shape).length - chargedWallets(state).length : 0

/** What is wrong with the whole database, including events, records and holds that belong to no journey. */
export const inconsistencies = async (query: Query): Promise<ReadonlyArray<string>> => {
  const lives = await storedLives(query)
  // Pings and samples belong to no journey, and their number is 0.
  const orphans = await query<{ readonly what: string }>(
    ["events", "journal", "personal_records", "wallet_holds"]
      .map(
        (table) =>
          `select '${table} of no journey: ' || journey_id as what from ${table} t
           where not exists (select from journeys j where j.id = t.journey_id)
             ${table === "events" ? "and t.sequence > 0" : ""}`
      )
      .join(" union all ")
  )
  const wallets = await query<{ readonly what: string }>(
    `select wallet || ' holds ' || held as what from wallets w
     where held <> (select coalesce(sum(credits), 0) from wallet_holds h where h.company_id = w.company_id and h.wallet = w.wallet)
     union all
     select wallet || ' has ' || balance || ', which is not the sum of its ledger' from wallets w
     where balance <> (select coalesce(sum(amount), 0) from wallet_ledger l where l.company_id = w.company_id and l.wallet = w.wallet)`
  )
  const misheld = lives.filter(({ holds, state }) => holds !== heldFor(state))
  const mischarged = lives.filter(({ charged, state }) => charged !== chargedWallets(state).length)
  return [
    ...lives.flatMap((life) => wrongsOf(life)),
    ...misheld.map(({ holds, id }) => `${id}: ${holds} holds`),
    ...mischarged.map(({ charged, id }) => `${id}: ${charged} credits charged`),
    ...[...orphans, ...wallets].map(({ what }) => what),
    ...(await deliveryInconsistencies(query))
  ]
}
