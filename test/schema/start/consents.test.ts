import { describe, expect, it } from "vitest"
import { absent, messages, photo, shapes, verdict } from "./judge.ts"

const mira = "FINANCE_SUBMIT_VIA_MIRA"

const judged = (changes: Record<string, unknown>) => verdict(mira, changes)

describe("the consents of an application", () => {
  it.each(["infoAccuracy", "miraTerms", "providerTerms", "dataSharing", "creditCheck", "identityVerification"])(
    "need %s to be true",
    (name) => {
      const field = `finance.consents.${name}`
      for (const value of [false, absent, "true", 1, null, {}]) {
        expect(judged({ [field]: value })).toEqual([`CONSENT_REQUIRED ${field}`])
      }
      expect(messages(mira, { [field]: false })).toEqual([`${field} must be true`])
    }
  )

  it("must come with the provider's name", () => {
    for (const value of [absent, "", "   "]) {
      expect(judged({ "finance.consents.providerName": value })).toEqual([
        "CONSENT_REQUIRED finance.consents.providerName"
      ])
    }
    for (const value of ["x".repeat(256), 5, null, "\u200b"]) {
      expect(judged({ "finance.consents.providerName": value })).toEqual([
        "VALIDATION_FAILED finance.consents.providerName"
      ])
    }
  })

  it("are required as a whole, and malformed when they are no object", () => {
    expect(judged({ "finance.consents": absent })).toEqual(["CONSENT_REQUIRED finance.consents"])
    for (const value of [null, true, "yes", [], 1]) {
      expect(judged({ "finance.consents": value })).toEqual(["VALIDATION_FAILED finance.consents"])
    }
    expect(judged({ "finance.consents": {} })).toHaveLength(7)
  })

  it("are asked for only when nothing else is wrong", () => {
    expect(judged({ "finance.consents.creditCheck": false, "finance.loanTerm": 5 })).toEqual([
      "VALIDATION_FAILED finance.loanTerm"
    ])
    expect(judged({ "finance.consents.creditCheck": false, "finance.consents.marketing": true })).toEqual([
      "VALIDATION_FAILED finance.consents.marketing"
    ])
  })
})

describe("the biometric consent", () => {
  const given = "customerFace.biometricConsent.given"

  it("must be given", () => {
    for (const value of [false, absent, "true", 1, null]) {
      expect(verdict("FINANCE_SALE", { [given]: value })).toEqual([`BIOMETRIC_CONSENT_REQUIRED ${given}`])
    }
    expect(verdict("FINANCE_SALE", { "customerFace.biometricConsent": absent })).toEqual([
      "BIOMETRIC_CONSENT_REQUIRED customerFace.biometricConsent"
    ])
  })

  it("is asked for only when nothing else is wrong", () => {
    expect(verdict("FINANCE_SALE", { [given]: false, "vehicle.year": 1 })).toEqual(["VALIDATION_FAILED vehicle.year"])
    expect(verdict("FINANCE_SALE", { "customerFace.biometricConsent": {} })).toEqual([
      "VALIDATION_FAILED customerFace.biometricConsent.capturedAt",
      "VALIDATION_FAILED customerFace.biometricConsent.method",
      "VALIDATION_FAILED customerFace.biometricConsent.noticeVersion"
    ])
    for (const value of [null, true, []]) {
      expect(verdict("FINANCE_SALE", { "customerFace.biometricConsent": value })).toEqual([
        "VALIDATION_FAILED customerFace.biometricConsent"
      ])
    }
  })

  it("may name who captured it, and when the photo was taken", () => {
    expect(
      verdict("FINANCE_SALE", { "customerFace.biometricConsent.capturedBy": absent, "customerFace.capturedAt": absent })
    ).toEqual([])
  })
})

describe("the customer photo", () => {
  it("is required for a FINANCE_SALE, and cannot come in JSON", () => {
    const required = ["CUSTOMER_FACE_REQUIRED customerFace"]
    expect(verdict("FINANCE_SALE", {}, { photo: null })).toEqual(required)
    expect(verdict("FINANCE_SALE", {}, { transport: "JSON", photo: null })).toEqual(required)
    expect(verdict("FINANCE_SALE", {}, { transport: "JSON" })).toEqual(required)
    expect(verdict("FINANCE_SALE", { customerFace: absent }, { transport: "JSON", photo: null })).toEqual(required)
  })

  it("must come with an object that says its source", () => {
    expect(verdict("FINANCE_SALE", { customerFace: absent })).toEqual(["VALIDATION_FAILED customerFace.source"])
    expect(verdict("FINANCE_SALE", { customerFace: null })).toEqual(["VALIDATION_FAILED customerFace"])
  })

  it("must be a JPEG or a PNG", () => {
    expect(verdict("FINANCE_SALE", {}, { photo: { image: "PNG", bytes: 1 } })).toEqual([])
    expect(verdict("FINANCE_SALE", {}, { photo: { image: "OTHER", bytes: 1 } })).toEqual([
      "UNSUPPORTED_IMAGE_TYPE customerFace"
    ])
  })

  it("must have at most 5 MB", () => {
    const limit = 5 * 1024 * 1024
    expect(verdict("FINANCE_SALE", {}, { photo: { ...photo, bytes: limit } })).toEqual([])
    expect(verdict("FINANCE_SALE", {}, { photo: { ...photo, bytes: limit + 1 } })).toEqual([
      "VALIDATION_FAILED customerFace"
    ])
  })

  it.each(shapes.filter((shape) => shape !== "FINANCE_SALE"))("is not used by %s, as object or as file", (shape) => {
    const notUsed = ["CUSTOMER_FACE_NOT_USED customerFace"]
    expect(verdict(shape, { customerFace: {} })).toEqual(notUsed)
    expect(verdict(shape, { customerFace: null })).toEqual(notUsed)
    expect(verdict(shape, {}, { transport: "MULTIPART", photo })).toEqual(notUsed)
    expect(verdict(shape, { customerFace: {} }, { transport: "MULTIPART", photo })).toEqual(notUsed)
    expect(verdict(shape, {}, { transport: "MULTIPART", photo: null })).toEqual([])
  })
})
