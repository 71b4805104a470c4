/** The transition table is complete: no trigger, status or message is without a row, and no row is unreachable. */
import { describe, expect, it } from "vitest"
import { fittingRow } from "../../../../src/actors/journey/rules/table/rowIndex.ts"
import { messageRules } from "../../../../src/actors/journey/rules/table/messageRules.ts"
import type { Move, Region } from "../../../../src/actors/journey/rules/table/row.ts"
import { TABLE } from "../../../../src/actors/journey/rules/table/table.ts"
import { ConsentStep } from "../../../../src/schema/journey/consents.ts"
import {
  Decision,
  FinanceStatus,
  HandoverStatus,
  IdentityStatus,
  JourneyStatus,
  Shape
} from "../../../../src/schema/journey/statuses.ts"
import { eventTypes } from "../../../../src/schema/journey/events.ts"
import { JourneyMailKind } from "../../../../src/schema/mail/mailKinds.ts"
import { reachableStates } from "./reachableStates.ts"

const withDecision = new Set(["FinanceDecision", "PanelDecision"])
const withStep = new Set(["ConsentGiven", "ConsentRefused"])
const decided = (name: string) => Decision.literals.map((decision) => `${name} ${decision}`)

/** Moves that rows raise; a move that is missing here does not compile. */
const moves: Readonly<Record<Exclude<Move, `begin ${string}` | `known decision ${string}`>, true>> = {
  "ask for identity": true,
  "count as asked": true,
  "gate opened": true,
  "identity to the team": true,
  "video to the team": true,
  "cancel handover": true,
  "expire handover": true,
  "cancel journey": true,
  "complete journey": true
}

const triggers: ReadonlyArray<string> = [
  "Start",
  ...Object.keys(messageRules).flatMap((tag) =>
    withDecision.has(tag)
      ? decided(tag)
      : withStep.has(tag)
        ? ConsentStep.literals.map((step) => `${tag} ${step}`)
        : [tag]
  ),
  ...Shape.literals.map((shape) => `begin ${shape}`),
  ...decided("known decision"),
  ...Object.keys(moves)
]

const statuses: Readonly<Record<Region, ReadonlyArray<string>>> = {
  finance: FinanceStatus.literals,
  identity: ["NOT_ASKED", "BEING_STARTED", ...IdentityStatus.literals],
  handover: HandoverStatus.literals,
  journey: JourneyStatus.literals
}

/** Where a region comes to rest: no row leads on. */
const finalStatuses: ReadonlySet<string> = new Set([
  "APPROVED",
  "DECLINED",
  "SUBMISSION_FAILED",
  "VERIFIED",
  "COMPLETED",
  "CANCELLED",
  "EXPIRED"
])

describe("the transition table", () => {
  it("has a row for every message and every move, and for nothing else", () => {
    expect(new Set(TABLE.flatMap(({ on }): ReadonlyArray<string> => on))).toEqual(new Set(triggers))
  })

  it.each(Object.entries(statuses))(
    "leads to every status of the %s region, and on from all but the final ones",
    (region, all) => {
      const rows = TABLE.filter((row) => row.region === region)
      const reached = new Set<string>(rows.flatMap(({ to }) => (to === undefined ? [] : [to])))
      // NOT_ASKED is where the identity region begins.
      expect(all.filter((status) => !reached.has(status) && status !== "NOT_ASKED")).toEqual([])
      const left = new Set<string>(rows.flatMap(({ from }): ReadonlyArray<string> => from))
      expect(all.filter((status) => !left.has(status))).toEqual(all.filter((status) => finalStatuses.has(status)))
    }
  )

  it("tells every event but the ping, and sends every mail", () => {
    const told = new Set(TABLE.flatMap(({ events = [] }) => events))
    expect(eventTypes.filter((type) => !told.has(type))).toEqual(["ping"])
    const sent = new Set(TABLE.flatMap(({ mails = [] }) => mails))
    expect(JourneyMailKind.literals.filter((kind) => !sent.has(kind))).toEqual([])
  })

  it("names every guard, so that the documents can show it", () => {
    const guards = TABLE.flatMap(({ when = [] }) => when)
    expect(guards.filter(({ name }) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it("lets no row fit a journey that has ended", () => {
    const ended = reachableStates.filter(({ journey }) => journey.status !== "ACTIVE")
    expect(ended.length).toBeGreaterThan(0)
    for (const { journey } of ended) expect(fittingRow("Cancel", journey, { _tag: "Cancel" })).toBeNull()
  })
})
