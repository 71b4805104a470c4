/** The resource of §2.2 with decisions R1 to R6, and the data of events with decision W1, in every reachable state. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { eventData, journeyResource } from "../../../../src/actors/journey/rules/projection.ts"
import { JourneyResource } from "../../../../src/schema/journey/resource.ts"
import { described, reachableStates } from "./reachableStates.ts"
import {
  day,
  driven,
  factsOf,
  impossible,
  outside,
  possible,
  second,
  started,
  startedAt,
  told
} from "./startedJourneys.ts"

const iso = (millis: number) => new Date(millis).toISOString()
const states = reachableStates.map((reached) => ({ reached, resource: journeyResource(reached.journey) }))

describe("the resource", () => {
  it("fits its schema in every state, with no member more", () => {
    const decode = Schema.decodeUnknownSync(JourneyResource)
    for (const { reached, resource } of states) {
      const sent: unknown = JSON.parse(JSON.stringify(resource))
      expect(decode(sent), described(reached)).toEqual(sent)
    }
  })

  it("has finance as an object on FINANCE_IDENTITY_DELIVERY and null elsewhere", () => {
    for (const { reached, resource } of states) {
      expect(resource.finance !== null, described(reached)).toBe(resource.type === "FINANCE_IDENTITY_DELIVERY")
    }
  })

  it("has identity as an object, and no such key on DELIVERY", () => {
    for (const { reached, resource } of states) {
      expect(Object.hasOwn(resource, "identity"), described(reached)).toBe(resource.type !== "DELIVERY")
    }
  })

  it("has a delivery exactly when a handover exists, with saleType on DELIVERY only", () => {
    for (const { reached, resource } of states) {
      const { journey } = reached
      expect(resource.delivery === null, described(reached)).toBe(journey.handover === null)
      expect(resource.delivery?.saleType, described(reached)).toBe(
        resource.type === "DELIVERY" ? journey.shape : undefined
      )
      if (resource.delivery !== null && resource.type !== "DELIVERY") {
        expect(Object.hasOwn(resource.delivery, "saleType")).toBe(false)
      }
    }
  })

  it("shows the identity step of a cash sale in delivery.status", () => {
    const cashSale = started(factsOf("CASH_SALE")).journey
    const statusAfter = (...messages: Parameters<typeof driven> extends [unknown, ...infer M] ? M : never) =>
      journeyResource(driven(cashSale, ...messages)).delivery?.status
    expect(statusAfter()).toBe("AWAITING_IDENTITY")
    expect(statusAfter({ _tag: "IdentityFailed" })).toBe("AWAITING_IDENTITY")
    expect(statusAfter({ _tag: "IdentityUnderReview" })).toBe("IDENTITY_UNDER_REVIEW")
    expect(statusAfter({ _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" })).toBe("IDENTITY_UNAVAILABLE")
  })

  it("echoes the facts of the start and tells the times of the steps", () => {
    const facts = factsOf("FINANCE_ALREADY_SUBMITTED", { handoverType: "HOME_DELIVERY" })
    const first = started(facts).journey
    expect(journeyResource(first)).toEqual({
      id: facts.id,
      type: "FINANCE_IDENTITY_DELIVERY",
      status: "ACTIVE",
      livemode: true,
      externalReference: "deal-1",
      customerReference: facts.customerReference,
      delivery: null,
      finance: {
        status: "SUBMITTED",
        panelSubmission: "ALREADY_SUBMITTED",
        panelName: "Panel",
        panelReference: "P-1",
        lender: "Lender",
        decidedAt: null,
        failureReason: null
      },
      identity: {
        status: "REQUESTED",
        requestedAt: iso(startedAt),
        verifiedAt: null,
        attempts: 0,
        unavailableReason: null,
        assurance: "NONE"
      },
      nextAction: "SEND_FINANCE_DECISION",
      createdAt: iso(startedAt)
    })
    const at = [1, 2, 3, 4, 5, 6].map((days) => startedAt + days * day)
    const approved = told(first, { _tag: "FinanceDecision", decision: "APPROVED" }, at[0] ?? 0).journey
    const failed = told(approved, { _tag: "IdentityFailed" }, at[1] ?? 0).journey
    const verified = told(failed, { _tag: "IdentityVerified" }, at[2] ?? 0).journey
    const created = told(verified, { _tag: "HandoverCreated" }, at[3] ?? 0).journey
    expect(journeyResource(created)).toMatchObject({
      finance: { status: "APPROVED", decidedAt: iso(at[0] ?? 0) },
      identity: { status: "VERIFIED", requestedAt: iso(startedAt), verifiedAt: iso(at[2] ?? 0), attempts: 2 },
      delivery: {
        status: "AWAITING_LOCATION",
        type: "HOME_DELIVERY",
        createdAt: iso(at[3] ?? 0),
        completedAt: null,
        expiresAt: iso((at[3] ?? 0) + 30 * day)
      }
    })
    const uploaded = driven(created, { _tag: "LocationConfirmed" }, { _tag: "VideoUploaded" })
    expect(journeyResource(uploaded).delivery?.expiresAt).toBeNull()
    const completed = told(uploaded, { _tag: "VideoMatched" }, at[5] ?? 0).journey
    expect(journeyResource(completed).delivery).toMatchObject({ completedAt: iso(at[5] ?? 0), expiresAt: null })
  })

  it("says why an application could not be submitted, and only then", () => {
    const journey = started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey
    const failed = driven(journey, { _tag: "PanelFailed", reason: "PANEL_NOT_CONFIGURED" })
    expect(journeyResource(failed).finance).toMatchObject({
      status: "SUBMISSION_FAILED",
      failureReason: "PANEL_NOT_CONFIGURED"
    })
    const declined = driven(journey, { _tag: "PanelDecision", decision: "DECLINED", check: possible })
    expect(journeyResource(declined).finance).toMatchObject({ status: "DECLINED", failureReason: null })
  })

  it("shows identity without a status until the check was asked for", () => {
    const journey = started(factsOf("FINANCE_SUBMIT_VIA_MIRA")).journey
    const nothing = {
      status: null,
      requestedAt: null,
      verifiedAt: null,
      attempts: 0,
      unavailableReason: null,
      assurance: "NONE"
    }
    expect(journeyResource(journey).identity).toEqual(nothing)
  })

  it("shows no status while an outside provider is asked to start the check, nor on a cash sale (D2)", () => {
    const journey = started(factsOf("IDENTITY_DELIVERY", { check: outside })).journey
    const nothing = { status: null, requestedAt: null, verifiedAt: null, attempts: 0, unavailableReason: null }
    expect(journeyResource(journey)).toMatchObject({ identity: nothing, nextAction: null })
    const cashSale = journeyResource(started(factsOf("CASH_SALE", { check: outside })).journey)
    expect(cashSale).toMatchObject({ delivery: { status: "AWAITING_IDENTITY" }, nextAction: null })
  })

  it("says why a check is unavailable and when it was last asked for", () => {
    const never = started(factsOf("IDENTITY_DELIVERY", { check: impossible })).journey
    expect(journeyResource(never).identity).toMatchObject({
      status: "UNAVAILABLE",
      requestedAt: null,
      unavailableReason: "PROVIDER_ERROR"
    })
    const again = told(never, { _tag: "TeamResendsCheck", check: possible }, startedAt + second).journey
    const stopped = driven(
      again,
      { _tag: "IdentityFailed" },
      { _tag: "IdentityUnavailable", reason: "EKYC_NOT_CONFIGURED" }
    )
    expect(journeyResource(stopped).identity).toEqual({
      status: "UNAVAILABLE",
      requestedAt: iso(startedAt + second),
      verifiedAt: null,
      attempts: 1,
      unavailableReason: "EKYC_NOT_CONFIGURED",
      assurance: "NONE"
    })
  })

  it("counts the customer's attempts, not a reviewer's verdicts", () => {
    const asked = started(factsOf("IDENTITY_DELIVERY")).journey
    const attempts = (...tags: ReadonlyArray<"IdentityFailed" | "IdentityUnderReview" | "IdentityVerified">) =>
      journeyResource(driven(asked, ...tags.map((_tag) => ({ _tag })))).identity?.attempts
    expect(attempts()).toBe(0)
    expect(attempts("IdentityVerified")).toBe(1)
    expect(attempts("IdentityFailed", "IdentityVerified")).toBe(2)
    expect(attempts("IdentityUnderReview", "IdentityFailed")).toBe(1)
    expect(attempts("IdentityUnderReview", "IdentityFailed", "IdentityUnderReview", "IdentityVerified")).toBe(2)
  })
})

describe("the data of an event", () => {
  it("has each status exactly when the resource's member has one, and the same", () => {
    for (const { reached, resource } of states) {
      const statuses = {
        ...(resource.delivery === null ? {} : { deliveryStatus: resource.delivery.status }),
        ...(resource.finance === null ? {} : { financeStatus: resource.finance.status }),
        ...(resource.identity === undefined || resource.identity.status === null
          ? {}
          : { identityStatus: resource.identity.status })
      }
      const expected = {
        journeyId: resource.id,
        journeyType: resource.type,
        journeyStatus: resource.status,
        externalReference: resource.externalReference,
        customerReference: resource.customerReference,
        ...statuses
      }
      const data = eventData(reached.journey)
      expect(data, described(reached)).toEqual(expected)
      expect(Object.keys(data).toSorted(), described(reached)).toEqual(Object.keys(expected).toSorted())
    }
  })
})
