/**
 * What a row of the transition tables is, and when it applies. The rows are in `transitionTable.ts`. Not a test itself.
 */
import type { Journey } from "../../../../src/actors/journey/rules/Journey.ts"
import type { JourneyMessage, JourneyMessageTag } from "../../../../src/schema/journey/messages.ts"
import type { HandoverType, Shape } from "../../../../src/schema/journey/statuses.ts"

/** The statuses of a journey, flat. */
export interface Statuses {
  readonly shape: Shape
  readonly place: HandoverType
  readonly journey: Journey["status"]
  readonly finance: NonNullable<Journey["finance"]>["status"] | "SUBMITTED, accepted" | null
  readonly identity: NonNullable<Journey["identity"]>["status"] | null
  readonly handover: NonNullable<Journey["handover"]>["status"] | null
  readonly mismatches: number
}

export const statusesOf = (journey: Journey): Statuses => ({
  shape: journey.shape,
  place: journey.handoverType,
  journey: journey.status,
  finance:
    journey.finance?.status === "SUBMITTED" && journey.finance.accepted
      ? "SUBMITTED, accepted"
      : (journey.finance?.status ?? null),
  identity: journey.identity?.status ?? null,
  handover: journey.handover?.status ?? null,
  mismatches: journey.handover?.mismatches ?? 0
})

export type Among = { readonly [Name in keyof Statuses]?: ReadonlyArray<Statuses[Name]> }
/** Any members of a message: an object that some messages contain. */
interface Pattern {
  readonly _tag: JourneyMessageTag
  readonly decision?: string
  readonly check?: { readonly possible: boolean }
}

export interface Row {
  readonly name: string
  readonly tells: Pattern
  /** Only ACTIVE journeys move; `from` says the rest. */
  readonly from: Among
  readonly to: Partial<Statuses>
  readonly events: ReadonlyArray<string>
  readonly mails: ReadonlyArray<string>
}

const contains = (value: unknown, pattern: object): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(pattern).every(([name, wanted]) => {
    const member: unknown = Reflect.get(value, name)
    return typeof wanted === "object" && wanted !== null ? contains(member, wanted) : member === wanted
  })

export const applies = (row: Row, statuses: Statuses, message: JourneyMessage): boolean =>
  statuses.journey === "ACTIVE" &&
  contains(message, row.tells) &&
  Object.entries(row.from).every(([name, allowed]) =>
    (allowed as ReadonlyArray<unknown>).includes(Reflect.get(statuses, name))
  )

export const row = (
  name: string,
  tells: Pattern,
  from: Among,
  to: Partial<Statuses>,
  events: ReadonlyArray<string>,
  mails: ReadonlyArray<string> = []
): Row => ({ name, tells, from, to, events, mails })
