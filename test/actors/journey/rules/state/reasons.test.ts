/** Why a check came to its result: which reasons the journey keeps, how long, and which are refused. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { JourneyMessage } from "../../../../../src/schema/journey/messages.ts"
import { CheckReason, ReasonCode } from "../../../../../src/schema/journey/statuses.ts"
import { codeOf } from "../../../../../src/actors/journey/rules/state/reasons.ts"
import { driven, factsOf, started } from "../startedJourneys.ts"

const asked = () => started(factsOf("IDENTITY_DELIVERY")).journey
const filmed = () =>
  driven(asked(), { _tag: "IdentityVerified" }, { _tag: "HandoverCreated" }, { _tag: "VideoUploaded" })

describe("a journey keeps the reasons", () => {
  it("of an identity check while it is under review, and then those of its failure", () => {
    const underReview = driven(asked(), { _tag: "IdentityUnderReview", reasons: ["NAME_DIFFERS", "ACME_17"] })
    expect(underReview.identity).toMatchObject({ status: "UNDER_REVIEW", reasons: ["NAME_DIFFERS", "ACME_17"] })
    const failed = driven(underReview, { _tag: "IdentityFailed", reasons: ["PROVIDER_DECISION"] })
    expect(failed.identity).toMatchObject({ status: "FAILED", reasons: ["PROVIDER_DECISION"] })
    expect(driven(failed, { _tag: "IdentityVerified" }).identity).not.toHaveProperty("reasons")
  })

  it("TEAM_REJECTED when a reviewer rejected the check", () => {
    const rejected = driven(
      asked(),
      { _tag: "IdentityUnderReview", reasons: ["FACES_UNCLEAR"] },
      { _tag: "IdentityFailed", reviewed: 1, fingerprint: "x" }
    )
    expect(rejected.identity).toMatchObject({ status: "FAILED", reasons: ["TEAM_REJECTED"] })
  })

  it("of a video while it is under review", () => {
    const underReview = driven(filmed(), { _tag: "VideoUnclear", reasons: ["SEVERAL_PEOPLE"] })
    expect(underReview.handover).toMatchObject({ status: "UNDER_REVIEW", reasons: ["SEVERAL_PEOPLE"] })
    expect(driven(underReview, { _tag: "TeamRejectsVideo" }).handover).not.toHaveProperty("reasons")
  })

  it("of the mismatch that sent a video to the team, and not of those before", () => {
    const mismatch = { _tag: "VideoNotMatched", reasons: ["VIDEO_MISMATCH"] } as const
    const once = driven(filmed(), mismatch)
    expect(once.handover).not.toHaveProperty("reasons")
    const thrice = driven(once, { _tag: "VideoUploaded" }, mismatch, { _tag: "VideoUploaded" }, mismatch)
    expect(thrice.handover).toMatchObject({ status: "UNDER_REVIEW", reasons: ["VIDEO_MISMATCH"] })
  })

  it("of no check that gave none, as earlier journeys did", () => {
    expect(driven(asked(), { _tag: "IdentityUnderReview" }).identity).not.toHaveProperty("reasons")
    expect(driven(filmed(), { _tag: "VideoUnclear" }).handover).not.toHaveProperty("reasons")
  })
})

describe("the failure of an attempt", () => {
  const isCode = Schema.is(ReasonCode)

  it.each([
    ["HTTP_400", "HTTP_400"],
    ["StoreUnavailable", "STORE_UNAVAILABLE"],
    ["took too long", "TOOK_TOO_LONG"],
    ["", "FAILED_"],
    ["502", "FAILED_502"],
    ["x".repeat(100), "X".repeat(64)]
  ])("%s is kept as the code %s", (failure, code) => {
    expect(codeOf(failure)).toBe(code)
    expect(isCode(code)).toBe(true)
  })
})

describe("a message", () => {
  const isMessage = Schema.is(JourneyMessage)
  const withReasons = (reasons: ReadonlyArray<string>) => isMessage({ _tag: "IdentityFailed", reasons })

  it("may name each of the service's own reasons, and a provider's", () => {
    for (const reason of CheckReason.literals) expect(withReasons([reason])).toBe(true)
    expect(withReasons(["X", "ACME_DOC_17"])).toBe(true)
    expect(withReasons(Array.from({ length: 10 }, (_, index) => `R${index}`))).toBe(true)
  })

  it("names codes only, and no more than ten", () => {
    for (const text of ["Ann Lee is not on it", "name_differs", "", "9", `A${"B".repeat(64)}`]) {
      expect(withReasons([text]), text).toBe(false)
    }
    expect(withReasons(Array.from({ length: 11 }, (_, index) => `R${index}`))).toBe(false)
  })
})
