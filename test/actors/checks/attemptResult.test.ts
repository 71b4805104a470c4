/** What an attempt comes to, by the faces, the document and the company's least. */
import { describe, expect, it } from "vitest"
import type { DocumentReading } from "../../../src/actors/checks/document/DocumentReader.ts"
import { attemptResult } from "../../../src/actors/checks/identity/attemptResult.ts"

const fits: DocumentReading = { fits: true, doubts: [] }
/** A driving licence, say, with other words in print than the customer's names. */
const nothing: DocumentReading = { fits: false, doubts: [] }

const messageOf = (...given: Parameters<typeof attemptResult>) => attemptResult(...given).message
const outcomeOf = (...given: Parameters<typeof attemptResult>) => attemptResult(...given).outcome._tag

describe("one face on both photos", () => {
  it("verifies with FACE_MATCH while nobody has read the document, and with DOCUMENT when it fits", () => {
    expect(messageOf("SAME", nothing, "FACE_MATCH")).toEqual({
      _tag: "IdentityVerified",
      assurance: "FACE_MATCH",
      least: "FACE_MATCH"
    })
    expect(messageOf("SAME", fits, "DOCUMENT")).toMatchObject({ _tag: "IdentityVerified", assurance: "DOCUMENT" })
    expect([outcomeOf("SAME", nothing, "FACE_MATCH"), outcomeOf("SAME", fits, "DOCUMENT")]).toEqual([
      "VERIFIED",
      "VERIFIED"
    ])
  })

  it("tells the customer of a person when the company asks for more", () => {
    expect(outcomeOf("SAME", nothing, "DOCUMENT")).toBe("UNDER_REVIEW")
    expect(outcomeOf("SAME", fits, "PROVIDER")).toBe("UNDER_REVIEW")
  })

  it.each([
    ["shows no document", ["NO_DOCUMENT"]],
    ["names somebody else", ["NAME_DIFFERS", "BIRTH_DATE_DIFFERS"]],
    ["has expired", ["DOCUMENT_EXPIRED"]],
    ["cannot be read", ["DOCUMENT_UNREADABLE"]]
  ] as const)("goes to a person when the document %s, whatever the company asks for (D6)", (_, doubts) => {
    for (const least of ["FACE_MATCH", "DOCUMENT", "PROVIDER"] as const) {
      expect(attemptResult("SAME", { fits: false, doubts }, least)).toEqual({
        message: { _tag: "IdentityUnderReview", reasons: doubts, assurance: "FACE_MATCH" },
        outcome: { _tag: "UNDER_REVIEW" }
      })
    }
  })
})

it("says of other faces what was seen, and nothing of an assurance", () => {
  expect(messageOf("UNCLEAR", nothing, "FACE_MATCH")).toEqual({
    _tag: "IdentityUnderReview",
    reasons: ["FACES_UNCLEAR"]
  })
  expect(messageOf("DIFFERENT", nothing, "FACE_MATCH")).toEqual({
    _tag: "IdentityFailed",
    reasons: ["FACES_DIFFERENT"],
    atPage: true
  })
  expect(messageOf("SAME_PICTURE", nothing, "FACE_MATCH")).toEqual({
    _tag: "IdentityFailed",
    reasons: ["SAME_PICTURE"],
    atPage: true
  })
})
