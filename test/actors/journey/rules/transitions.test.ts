/** Every message in every reachable state, held against the tables of `transitionTable.ts`. */
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Outcome } from "../../../../src/actors/journey/rules/state/step.ts"
import type { ErrorCode } from "../../../../src/schema/problems.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { described, reachableStates, type Reached } from "./reachableStates.ts"
import { mailsAmong, ordinaryMessages, owedWork, second } from "./startedJourneys.ts"
import { applies, statusesOf, type Row, type Statuses } from "./transitionRow.ts"
import { financeRows } from "./financeTransitions.ts"
import { endingRows, handoverRows, identityRows, rows } from "./transitionTable.ts"

const listed = reachableStates.map((reached) => ({ reached, statuses: statusesOf(reached.journey) }))

const decideAt = ({ journey, now }: Reached, message: JourneyMessage): Outcome => decide(journey, message, now + second)

/** What an outcome shows, as a row tells it. */
const seen = (outcome: Outcome) =>
  outcome._tag === "Step"
    ? {
        statuses: statusesOf(outcome.journey),
        events: outcome.events.map(({ type }) => type),
        mails: mailsAmong(outcome.journey.owed)
      }
    : outcome

const told = (row: Row, before: Statuses) => ({
  statuses: { ...before, ...row.to },
  events: row.events,
  mails: row.mails
})

const tables: ReadonlyArray<readonly [string, ReadonlyArray<Row>]> = [
  ["the finance region", financeRows],
  ["the identity region", identityRows],
  ["the handover region", handoverRows],
  ["the endings", endingRows]
]

describe.each(tables)("%s", (_, table) => {
  it.each(table)("$name: moves, tells and mails exactly what the table says", (row) => {
    let cases = 0
    for (const { reached, statuses } of listed) {
      for (const message of ordinaryMessages) {
        if (!applies(row, statuses, message)) continue
        cases += 1
        expect(seen(decideAt(reached, message)), described(reached)).toEqual(told(row, statuses))
      }
    }
    expect(cases).toBeGreaterThan(0)
  })
})

/** What a withdrawal comes to, or null where there is nothing to withdraw (D7). */
const withdrawal = (before: Statuses) => {
  const { handover, identity, identityConsent, videoConsent } = before
  const isOfIdentity =
    identityConsent === "AGREED" ||
    (identityConsent === null && (identity === "VERIFIED" || identity === "UNDER_REVIEW"))
  const isOfVideo =
    videoConsent === "AGREED" ||
    (videoConsent === null && (handover === "VIDEO_UPLOADED" || handover === "UNDER_REVIEW"))
  if (before.journey !== "ACTIVE" || !(isOfIdentity || isOfVideo)) return null
  const toTeam = {
    identity: identity === "REQUESTED" || identity === "FAILED",
    handover: handover === "AWAITING_VIDEO" || handover === "VIDEO_UPLOADED"
  }
  const isMoved = toTeam.identity || toTeam.handover
  return {
    statuses: {
      ...before,
      identity: toTeam.identity ? "UNDER_REVIEW" : identity,
      handover: toTeam.handover ? "UNDER_REVIEW" : handover,
      identityConsent: isOfIdentity ? "WITHDRAWN" : identityConsent,
      videoConsent: isOfVideo || toTeam.handover ? "WITHDRAWN" : videoConsent
    },
    events: isMoved ? [toTeam.identity ? "identity.under_review" : "delivery.under_review"] : [],
    mails: isMoved ? ["REVIEW_NEEDED"] : []
  }
}

describe("a customer who withdraws their consent", () => {
  const message: JourneyMessage = { _tag: "ConsentWithdrawn", notice: "withdrawal-1-en" }

  it("sends the open step to the team and has everything deleted, wherever the journey stands", () => {
    const kinds = new Set<string>()
    for (const { reached, statuses } of listed) {
      const expected = withdrawal(statuses)
      const outcome = decideAt(reached, message)
      if (expected === null) {
        expect(outcome._tag, described(reached)).toBe("Ignored")
        continue
      }
      expect(seen(outcome), described(reached)).toEqual(expected)
      if (outcome._tag !== "Step") continue
      expect(owedWork(outcome.journey), described(reached)).toContain("DELETE_BIOMETRICS")
      for (const region of [outcome.journey.identity, outcome.journey.handover]) {
        if (region?.status !== "UNDER_REVIEW") continue
        kinds.add(`${reached.journey.identity?.status} ${reached.journey.handover?.status}`)
        expect(region, described(reached)).toMatchObject({ reasons: ["CONSENT_WITHDRAWN"] })
      }
    }
    expect(kinds.size).toBeGreaterThan(7)
  })
})

/** The codes of the caller's operations where the tables have no row, in the order of V16 to V20. */
const refusal = (message: JourneyMessage, at: Statuses): ErrorCode | null => {
  switch (message._tag) {
    case "Cancel":
      return "JOURNEY_FINISHED"
    case "FinanceDecision":
      if (at.shape === "FINANCE_SUBMIT_VIA_MIRA") return "FINANCE_DECISION_FROM_PANEL"
      if (at.shape !== "FINANCE_ALREADY_SUBMITTED") return "FINANCE_ALREADY_DECIDED"
      return at.finance === "APPROVED" || at.finance === "DECLINED" ? "FINANCE_ALREADY_DECIDED" : "JOURNEY_FINISHED"
    case "ReplaceFace":
      if (at.shape !== "FINANCE_SALE") return "CUSTOMER_FACE_NOT_USED"
      return at.journey === "CANCELLED" || at.journey === "EXPIRED" ? "JOURNEY_FINISHED" : "CUSTOMER_FACE_LOCKED"
    default:
      return null
  }
}

describe("a message that no table lists", () => {
  const unlisted = listed.flatMap(({ reached, statuses }) =>
    ordinaryMessages.flatMap((message) =>
      rows.some((row) => applies(row, statuses, message)) || message._tag === "ConsentWithdrawn"
        ? []
        : [{ reached, statuses, message }]
    )
  )

  it("is ignored when it comes from anyone but the caller", () => {
    const others = unlisted.filter(({ message, statuses }) => refusal(message, statuses) === null)
    expect(others.length).toBeGreaterThan(0)
    for (const { message, reached } of others) {
      const outcome = decideAt(reached, message)
      if (outcome._tag !== "Ignored" || outcome.reason === "") {
        expect.fail(`${JSON.stringify(message)} at ${described(reached)} came to ${JSON.stringify(outcome)}`)
      }
    }
  })

  it("is refused with its code when it is an operation of the caller", () => {
    const codes = new Set<string>()
    for (const { message, reached, statuses } of unlisted) {
      const code = refusal(message, statuses)
      if (code === null) continue
      codes.add(`${message._tag} ${code}`)
      expect(decideAt(reached, message), described(reached)).toEqual({
        _tag: "Rejected",
        code,
        message: expect.any(String)
      })
    }
    expect([...codes].toSorted()).toEqual([
      "Cancel JOURNEY_FINISHED",
      "FinanceDecision FINANCE_ALREADY_DECIDED",
      "FinanceDecision FINANCE_DECISION_FROM_PANEL",
      "FinanceDecision JOURNEY_FINISHED",
      "ReplaceFace CUSTOMER_FACE_LOCKED",
      "ReplaceFace CUSTOMER_FACE_NOT_USED",
      "ReplaceFace JOURNEY_FINISHED"
    ])
  })
})

it("lists every message in at most one row", () => {
  for (const { reached, statuses } of listed) {
    for (const message of ordinaryMessages) {
      const matching = rows.filter((row) => applies(row, statuses, message))
      if (matching.length > 1) expect.fail(`${matching.map(({ name }) => name).join(" and ")} at ${described(reached)}`)
    }
  }
})

it("owes the outside world no work but what its state calls for, and the handover until it is there", () => {
  for (const reached of reachableStates) {
    const { finance, handover, identity, livemode, shape, status } = reached.journey
    const isActive = status === "ACTIVE"
    const isReady =
      handover === null && identity?.status === "VERIFIED" && (finance === null || finance.status === "APPROVED")
    const expected: ReadonlyArray<readonly [string, boolean]> = [
      [
        "SUBMIT_APPLICATION",
        livemode && shape === "FINANCE_SUBMIT_VIA_MIRA" && finance?.status === "SUBMITTED" && !finance.accepted
      ],
      [
        "START_IDENTITY_CHECK",
        // After a callback that was faster than the provider's answer, the page is still wanted.
        livemode && ["BEING_STARTED", "FAILED", "UNDER_REVIEW"].includes(identity?.status ?? "")
      ],
      ["CREATE_HANDOVER", isReady],
      ["CHECK_VIDEO", livemode && handover?.status === "VIDEO_UPLOADED"]
    ]
    // Until it is done, whatever the customer has answered since.
    const isWithdrawn = reached.path.some(({ _tag }) => _tag === "ConsentWithdrawn")
    const called = [
      ...(isActive ? expected.flatMap(([kind, isOwed]) => (isOwed ? [kind] : [])) : []),
      ...(isWithdrawn ? ["DELETE_BIOMETRICS"] : [])
    ]
    const owed = owedWork(reached.journey)
    expect(called, described(reached)).toEqual(expect.arrayContaining([...owed]))
    expect(owed.includes("CREATE_HANDOVER"), described(reached)).toBe(called.includes("CREATE_HANDOVER"))
  }
})
