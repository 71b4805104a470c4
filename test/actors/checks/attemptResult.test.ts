/** What an attempt comes to, by the faces, the document and the company's least. */
import { describe, expect, it } from "vitest"
import { attemptResult } from "../../../src/actors/checks/attemptResult.ts"

const messageOf = (...given: Parameters<typeof attemptResult>) => attemptResult(...given).message
const outcomeOf = (...given: Parameters<typeof attemptResult>) => attemptResult(...given).outcome._tag

describe("one face on both photos", () => {
  it("verifies with FACE_MATCH while nobody has read the document, and with DOCUMENT when it fits", () => {
    expect(messageOf("SAME", "UNREAD", "FACE_MATCH")).toEqual({
      _tag: "IdentityVerified",
      assurance: "FACE_MATCH",
      least: "FACE_MATCH"
    })
    expect(messageOf("SAME", "FITS", "DOCUMENT")).toMatchObject({ _tag: "IdentityVerified", assurance: "DOCUMENT" })
    expect([outcomeOf("SAME", "UNREAD", "FACE_MATCH"), outcomeOf("SAME", "FITS", "DOCUMENT")]).toEqual([
      "VERIFIED",
      "VERIFIED"
    ])
  })

  it("tells the customer of a person when the company asks for more", () => {
    expect(outcomeOf("SAME", "UNREAD", "DOCUMENT")).toBe("UNDER_REVIEW")
    expect(outcomeOf("SAME", "FITS", "PROVIDER")).toBe("UNDER_REVIEW")
  })

  it("goes to a person when the document names somebody else, whatever the company asks for (D6)", () => {
    for (const least of ["FACE_MATCH", "DOCUMENT", "PROVIDER"] as const) {
      expect(attemptResult("SAME", "DIFFERS", least)).toEqual({
        message: { _tag: "IdentityUnderReview", reasons: ["NAME_DIFFERS"], assurance: "FACE_MATCH" },
        outcome: { _tag: "UNDER_REVIEW" }
      })
    }
  })
})

it("says of other faces what was seen, and nothing of an assurance", () => {
  expect(messageOf("UNCLEAR", "UNREAD", "FACE_MATCH")).toEqual({
    _tag: "IdentityUnderReview",
    reasons: ["FACES_UNCLEAR"]
  })
  expect(messageOf("DIFFERENT", "UNREAD", "FACE_MATCH")).toEqual({
    _tag: "IdentityFailed",
    reasons: ["FACES_DIFFERENT"],
    atPage: true
  })
  expect(messageOf("SAME_PICTURE", "UNREAD", "FACE_MATCH")).toEqual({
    _tag: "IdentityFailed",
    reasons: ["SAME_PICTURE"],
    atPage: true
  })
})
