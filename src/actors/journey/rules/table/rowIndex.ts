/**
 * The way from a message to the row of the transition table that fits it, worked out once when the module loads. What the
 * row then does is in `../run.ts`.
 */
import type { EventType } from "../../../../schema/journey/events.ts"
import type { JourneyMailKind } from "../../../../schema/mail/mailKinds.ts"
import type { Cause } from "../state/cause.ts"
import { financeIn } from "../state/finance.ts"
import { handoverIn } from "../state/handover.ts"
import { identityIn } from "../state/identity.ts"
import { lastEffects } from "../state/ending.ts"
import type { Journey } from "../state/Journey.ts"
import { TABLE } from "./table.ts"
import type { Guard, Raised, Region, Row, Trigger, WorkKind } from "./row.ts"

/** The copy of the journey that a run works on; nobody else holds it. */
export type Draft = { -readonly [Member in keyof Journey]: Journey[Member] }

/** A row with every member filled in, so that the engine meets one kind of object. */
export interface ReadyRow {
  readonly when: ReadonlyArray<Guard>
  readonly before: ReadonlyArray<Raised>
  readonly effectsOver: ReadonlyArray<WorkKind>
  /** Brings the region to its status. */
  readonly enter: (draft: Draft, cause: Cause, now: number) => void
  readonly events: ReadonlyArray<EventType>
  readonly mails: ReadonlyArray<JourneyMailKind>
  readonly again: boolean
  readonly effects: ReadonlyArray<WorkKind>
  readonly after: ReadonlyArray<Raised>
}

const readyRow = (row: Row): ReadyRow => ({
  when: row.when ?? [],
  before: row.before ?? [],
  effectsOver: row.effectsOver ?? [],
  enter: enterOf(row),
  events: row.events ?? [],
  mails: row.mails ?? [],
  again: row.again ?? false,
  effects: row.effects ?? [],
  after: row.after ?? []
})

const enterOf = (row: Row): ReadyRow["enter"] => {
  switch (row.region) {
    case "finance": {
      const { to } = row
      if (to === undefined) return stay
      return (draft, cause, now) => {
        draft.finance = financeIn(to, draft, cause, now)
      }
    }
    case "identity": {
      const { to } = row
      if (to === undefined) return stay
      return (draft, cause, now) => {
        draft.identity = identityIn(to, draft, cause, now)
      }
    }
    case "handover": {
      const { change, to } = row
      return (draft, cause, now) => {
        const handover = to === undefined ? draft.handover : handoverIn(to, draft, cause, now)
        draft.handover = handover === null || change === undefined ? handover : change(handover)
      }
    }
    case "journey": {
      const { to } = row
      if (to === undefined) return stay
      return (draft) => {
        draft.status = to
        if (to !== "ACTIVE") draft.owed = lastEffects(draft.owed)
      }
    }
  }
}

const stay = (): void => {}

interface RowsOfTrigger {
  /** A trigger belongs to one region. */
  readonly region: Region
  readonly byStatus: ReadonlyMap<string, ReadonlyArray<ReadyRow>>
}

const ready = TABLE.map((row) => ({ row, from: row.from as ReadonlyArray<string>, ready: readyRow(row) }))

const rowsOf = (trigger: Trigger): RowsOfTrigger => {
  const rows = ready.filter(({ row }) => row.on.includes(trigger))
  const regions = [...new Set(rows.map(({ row }) => row.region))]
  const [region] = regions
  if (region === undefined || regions.length > 1) throw new Error(`the rows of ${trigger} are not in one region`)
  const statuses = [...new Set(rows.flatMap(({ from }) => from))]
  return {
    region,
    byStatus: new Map(
      statuses.map((status) => [status, rows.filter(({ from }) => from.includes(status)).map((one) => one.ready)])
    )
  }
}

const rowsByTrigger: ReadonlyMap<Trigger, RowsOfTrigger> = new Map(
  TABLE.flatMap(({ on }) => on).map((trigger) => [trigger, rowsOf(trigger)])
)

/** The first row that fits, or null. A journey that has ended fits none. */
export const fittingRow = (trigger: Trigger, journey: Journey, cause: Cause): ReadyRow | null => {
  if (journey.status !== "ACTIVE") return null
  const rows = rowsByTrigger.get(trigger)
  const candidates = rows?.byStatus.get(statusIn(rows.region, trigger, journey))
  if (candidates === undefined) return null
  for (const row of candidates) if (fits(row, journey, cause)) return row
  return null
}

const fits = ({ when }: ReadyRow, journey: Journey, cause: Cause): boolean => {
  for (const holds of when) if (!holds(journey, cause)) return false
  return true
}

const statusIn = (region: Region, trigger: Trigger, { finance, handover, identity, status }: Journey): string => {
  switch (region) {
    case "finance":
      return finance?.status ?? "NONE"
    case "identity":
      return identity?.status ?? "NONE"
    case "handover":
      return handover?.status ?? "NONE"
    case "journey":
      return trigger === "Start" ? "NONE" : status
  }
}
