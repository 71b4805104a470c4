/** What a case file says of the messages that a journey heard. What is kept beside the journey is tested over HTTP. */
import { describe, expect, it } from "vitest"
import { caseFile } from "../../../src/actors/review/caseFile.ts"
import type { CaseFacts } from "../../../src/actors/review/CaseFiles.ts"
import type { JourneyMessage } from "../../../src/schema/journey/messages.ts"
import { reachableStates } from "../journey/rules/reachableStates.ts"

const paths = { picture: () => "/picture", video: "/video", frame: () => "/frame", timeline: "/timeline" }

const nothingKept: CaseFacts = {
  start: null,
  address: null,
  attempts: [],
  heard: [],
  uploads: [],
  frames: [],
  reference: null,
  turns: null,
  pictures: [],
  mediaKeptUntil: null,
  customerKeptUntil: null,
  applicationKeptUntil: null
}

const attemptOf = (message: JourneyMessage) => {
  const found = reachableStates.find(({ journey }) => journey.identity?.status === "UNDER_REVIEW")
  if (found === undefined) throw new Error("no such state")
  const heard = [{ messageId: "m", sender: "identity", message, at: Date.UTC(2026, 0, 20) }]
  return caseFile(found.journey, { ...nothingKept, heard }, paths, null).identity?.attempts[0]
}

describe("an attempt at the identity check", () => {
  it("that reached less than the company asks for is under review, and says so", () => {
    expect(attemptOf({ _tag: "IdentityVerified", assurance: "FACE_MATCH", least: "DOCUMENT" })).toMatchObject({
      verdict: "UNDER_REVIEW",
      reasons: ["ASSURANCE_TOO_LOW"]
    })
  })

  it("that reached enough has verified the customer, for no reason", () => {
    expect(attemptOf({ _tag: "IdentityVerified", assurance: "DOCUMENT", least: "DOCUMENT" })).toMatchObject({
      verdict: "VERIFIED",
      reasons: []
    })
  })
})
