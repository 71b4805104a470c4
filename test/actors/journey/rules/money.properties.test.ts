/**
 * Money over thousands of random lives with a provider that lies: it refuses, is away, answers late or about another check,
 * and calls back before it has answered (decisions D2, B1). Several journeys share one wallet. What may be charged is found
 * out from what the provider did, and not from the state that the service charges by.
 */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { chargesOf, releasesHolds } from "../../../../src/actors/journey/rules/billing.ts"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { isExternal } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { holdsFor } from "../../../../src/actors/journey/rules/preconditions.ts"
import { record } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import type { WalletName } from "../../../../src/schema/company/Wallet.ts"
import type { CheckPossible, JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { countingIds, factsOf, impossible, outside, possible, second, started, startedAt } from "./startedJourneys.ts"

const shapes = ["IDENTITY_DELIVERY", "CASH_SALE", "FINANCE_ALREADY_SUBMITTED", "FINANCE_SUBMIT_VIA_MIRA"] as const

/** What the provider and everybody else do. `about`: how many checks ago the check began that it is about. */
type Act =
  | { readonly does: "PAGE" | "VERIFIED" | "UNDER_REVIEW" | "FAILED"; readonly about: number }
  | { readonly does: "BEGIN" | "ERROR" | "REFUSE" | "GONE" | "VERDICT" | "CANCEL" | "EXPIRE" | "FINISH" }
  | { readonly does: "RESEND" | "PANEL"; readonly check: CheckPossible }

const check = fc.constantFrom(outside, outside, possible, impossible)

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom("PAGE", "VERIFIED", "UNDER_REVIEW", "FAILED"),
      about: fc.constantFrom(0, 0, 0, 1, 2)
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constantFrom("BEGIN", "BEGIN", "ERROR", "REFUSE", "GONE", "VERDICT") })
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("CANCEL", "EXPIRE", "FINISH") }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("RESEND", "PANEL"), check }) }
)

interface Life {
  journey: Journey
  /** The number of the latest check, and whether the provider has been asked for it and has done nothing yet. */
  latest: number
  isBeingStarted: boolean
  /** The customer was asked here, or the provider gave a page or a result in time. */
  isAsked: boolean
  isAccepted: boolean
  readonly log: Array<string>
}

/** One company's wallets, moved as the commits move them. */
class Wallets {
  readonly bought = 100
  readonly balance: Record<WalletName, number> = { APPLICATION: this.bought, IDENTITY: this.bought }
  readonly holds = new Map<string, Set<WalletName>>()
  readonly ledger: Array<WalletName> = []

  move(id: string, before: Journey | null, after: Journey): void {
    const held = this.holds.get(id) ?? new Set(holdsFor(after.shape).map(({ wallet }) => wallet))
    this.holds.set(id, held)
    for (const wallet of chargesOf(before, after)) {
      expect(held.delete(wallet), `${wallet} is charged without a hold`).toBe(true)
      this.balance[wallet] -= 1
      this.ledger.push(wallet)
    }
    if (before !== null && releasesHolds(before, after)) held.clear()
  }

  held(wallet: WalletName): number {
    return [...this.holds.values()].filter((held) => held.has(wallet)).length
  }
}

const results = { VERIFIED: "IdentityVerified", UNDER_REVIEW: "IdentityUnderReview", FAILED: "IdentityFailed" } as const

/** The message that an act is to this journey; null where there is nothing to act on. */
const messageOf = (act: Act, { journey, latest }: Life): JourneyMessage | null => {
  const serial = journey.owed.find(isExternal)?.serial
  switch (act.does) {
    case "PAGE":
      return { _tag: "IdentityCheckStarted", check: latest - act.about }
    case "VERIFIED":
    case "UNDER_REVIEW":
    case "FAILED":
      return { _tag: results[act.does], check: latest - act.about }
    case "BEGIN":
      return serial === undefined ? null : { _tag: "OwedBegun", serial }
    case "ERROR":
    case "REFUSE":
      return serial === undefined ? null : { _tag: "OwedFailed", serial, definite: act.does === "REFUSE" }
    case "GONE":
      return { _tag: "IdentityUnavailable", check: latest, reason: "EKYC_NOT_CONFIGURED" }
    case "VERDICT":
      return { _tag: "IdentityFailed", reviewed: 1 }
    case "CANCEL":
      return { _tag: "Cancel" }
    case "EXPIRE":
      return { _tag: "SafetyCapPassed" }
    case "FINISH":
      return { _tag: "HandoverCreated" }
    case "RESEND":
      return { _tag: "TeamResendsCheck", check: act.check }
    case "PANEL":
      return { _tag: "PanelAccepted", check: act.check }
  }
}

/** What the act changes about who was asked, given that the journey took it. */
const follow = (act: Act, life: Life, told: ReadonlyArray<string>): void => {
  switch (act.does) {
    case "PAGE":
    case "VERIFIED":
    case "UNDER_REVIEW":
    case "FAILED":
      if (life.isBeingStarted && act.about === 0) life.isAsked = true
      life.isBeingStarted = false
      return
    case "PANEL":
      life.isAccepted = true
      asks(act.check, life)
      return
    case "RESEND":
      asks(act.check, life)
      return
    default:
      if (told.includes("identity.unavailable")) life.isBeingStarted = false
  }
}

const asks = (check: CheckPossible, life: Life): void => {
  if (!check.possible) return
  life.latest += 1
  life.isBeingStarted = check.by === "HTTP"
  if (check.by === "BUILT_IN") life.isAsked = true
}

const begin = (index: number, shape: (typeof shapes)[number], check: CheckPossible, wallets: Wallets): Life => {
  const id = `journey ${index}`
  const { events, journey } = started(factsOf(shape, { check }))
  wallets.move(id, null, journey)
  const life: Life = {
    journey,
    latest: 0,
    isBeingStarted: false,
    isAsked: false,
    isAccepted: false,
    log: events.map(({ type }) => type)
  }
  if (shape !== "FINANCE_SUBMIT_VIA_MIRA") asks(check, life)
  return life
}

/** Holds after every message, whatever came before. */
const fits = (lives: ReadonlyArray<Life>, wallets: Wallets): void => {
  for (const wallet of ["APPLICATION", "IDENTITY"] as const) {
    const charged = wallets.ledger.filter((one) => one === wallet).length
    expect(wallets.balance[wallet]).toBe(wallets.bought - charged)
    expect(wallets.held(wallet)).toBeLessThanOrEqual(wallets.balance[wallet])
    const active = lives.filter(({ journey }) => journey.status === "ACTIVE")
    const owing = active.filter(({ isAccepted, isAsked, journey }) =>
      wallet === "IDENTITY" ? !isAsked : journey.shape === "FINANCE_SUBMIT_VIA_MIRA" && !isAccepted
    )
    expect(wallets.held(wallet), `${wallet} held`).toBe(owing.length)
    const asked = lives.filter(({ isAccepted, isAsked }) => (wallet === "IDENTITY" ? isAsked : isAccepted))
    expect(charged, `${wallet} charged`).toBe(asked.length)
  }
  for (const { isAsked, log } of lives) expect(log.includes("identity.requested")).toBe(isAsked)
}

it("charges exactly where the customer was asked, and every credit is in the balance, held or in the ledger", () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...shapes), check), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat({ max: 2 }), act), { maxLength: 30, size: "max" }),
      (starts, acts) => {
        const wallets = new Wallets()
        const lives = starts.map(([shape, check], index) => begin(index, shape, check, wallets))
        fits(lives, wallets)
        let now = startedAt
        for (const [pick, one] of acts) {
          now += 1200 * second
          const index = pick % lives.length
          const life = lives[index]
          const message = life === undefined ? null : messageOf(one, life)
          if (life === undefined || message === null) continue
          const outcome = decide(life.journey, message, now)
          if (outcome._tag !== "Step") continue
          const before = life.journey
          const { events, journey } = record(outcome, now, countingIds())
          const told = events.map(({ type }) => type)
          wallets.move(`journey ${index}`, before, journey)
          life.journey = journey
          life.log.push(...told)
          follow(one, life, told)
          seen.add(`${one.does} ${before.identity?.status}`)
          fits(lives, wallets)
        }
      }
    ),
    { numRuns: 3000 }
  )
  // The lives came to where a lying provider matters.
  for (const does of ["PAGE", "VERIFIED", "UNDER_REVIEW", "FAILED", "REFUSE", "ERROR", "CANCEL"]) {
    expect(seen).toContain(`${does} BEING_STARTED`)
  }
  for (const tried of ["PAGE FAILED", "PAGE UNDER_REVIEW", "RESEND UNAVAILABLE", "REFUSE FAILED"]) {
    expect(seen).toContain(tried)
  }
})
