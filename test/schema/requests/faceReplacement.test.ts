/** The details of a new customer photo are told in the words of the request that has them. */
import { describe, expect, it } from "vitest"
import { judgeFaceDetails } from "../../../src/schema/requests/faceReplacement.ts"

const consent = {
  given: true,
  capturedAt: "2026-01-15T10:25:00Z",
  method: "SIGNED_IN_PERSON",
  noticeVersion: "2026-01"
}
const judge = (biometricConsent?: object) =>
  judgeFaceDetails(
    { source: "IN_PERSON_PHOTO", ...(biometricConsent === undefined ? {} : { biometricConsent }) },
    Date.parse("2026-01-15T10:30:00Z")
  )

describe("a consent that was not given", () => {
  it.each([
    ["a consent of false", { ...consent, given: false }, "biometricConsent.given", "must be true"],
    ["a consent in words", { ...consent, given: "true" }, "biometricConsent.given", "must be true"],
    ["no consent", undefined, "biometricConsent", "is required"]
  ])("%s is told by the path of the field within the details", (_, given, field, rule) => {
    expect(judge(given)).toEqual({
      malformed: [],
      withoutConsent: { field, code: "BIOMETRIC_CONSENT_REQUIRED", message: `${field} ${rule}` }
    })
  })

  it("a consent of true is no problem", () => {
    expect(judge(consent)).toEqual({ malformed: [], withoutConsent: null })
  })
})
