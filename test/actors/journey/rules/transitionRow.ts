/**
 * What a row of the transition tables is, and when it applies. The rows are in `transitionTable.ts`. Not a test itself.
 */
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import type { ConsentAnswer, ConsentStep } from "../../../../src/schema/journey/consents.ts"
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
  readonly livemode: boolean
  /** An outside provider is to say where its page is. */
  readonly isPageAwaited: boolean
  readonly identityConsent: ConsentAnswer | null
  readonly videoConsent: ConsentAnswer | null
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
  mismatches: journey.handover?.mismatches ?? 0,
  livemode: journey.livemode,
  isPageAwaited: journey.owed.some(({ kind }) => kind === "START_IDENTITY_CHECK"),
  identityConsent: journey.consents?.identity?.answer ?? null,
  videoConsent: journey.consents?.video?.answer ?? null
})

export type Among = { readonly [Name in keyof Statuses]?: ReadonlyArray<Statuses[Name]> }
/** Any members of a message: an object that some messages contain. */
interface Pattern {
  readonly _tag: JourneyMessageTag
  readonly decision?: string
  readonly check?: { readonly possible: boolean; readonly by?: string }
  readonly least?: string | undefined
  readonly step?: ConsentStep
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
  // Most rows are of another message: told first, because every row is held against every message in every state.
  row.tells._tag === message._tag &&
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

/** What a message that can ask for the identity check makes of it, by who makes the check and for whom. */
interface Ask {
  readonly name: string
  readonly check: NonNullable<Pattern["check"]>
  readonly from: Among
  readonly identity: Partial<Statuses>
  readonly events: ReadonlyArray<string>
  readonly mails: ReadonlyArray<string>
}

const asked = {
  identity: { identity: "REQUESTED" },
  events: ["identity.requested"],
  mails: ["VERIFY_IDENTITY"]
} as const

const askedBy: ReadonlyArray<Ask> = [
  { name: "and the check is made here", check: { possible: true, by: "BUILT_IN" }, from: {}, ...asked },
  {
    name: "and an outside provider must start the check first",
    check: { possible: true, by: "HTTP" },
    from: { livemode: [true] },
    identity: { identity: "BEING_STARTED", isPageAwaited: true },
    events: [],
    mails: []
  },
  {
    name: "on a test journey, about which no provider is asked",
    check: { possible: true, by: "HTTP" },
    from: { livemode: [false] },
    ...asked
  }
]

/** A row for each way of asking that can succeed. */
export const asks = (rowOf: (ask: Ask) => Row): ReadonlyArray<Row> => askedBy.map(rowOf)
