/** What a case file says of the messages that a journey heard. What is kept beside the journey is tested over HTTP. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { caseFile } from "../../../src/actors/review/caseFile.ts"
import type { CaseFacts } from "../../../src/actors/review/CaseFiles.ts"
import type { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { noticeOfStart } from "../../../src/schema/journey/consents.ts"
import { exampleId } from "../../../src/schema/exampleId.ts"
import { AttemptId } from "../../../src/schema/ids.ts"
import type { JourneyMessage } from "../../../src/schema/journey/messages.ts"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { storedStart } from "../../../src/schema/start/storedStart.ts"
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

const journeyWhere = (holds: (journey: Journey) => boolean): Journey => {
  const found = reachableStates.find(({ journey }) => holds(journey))
  if (found === undefined) throw new Error("no such state")
  return found.journey
}
const underReview = journeyWhere(({ identity }) => identity?.status === "UNDER_REVIEW")
const withVideo = journeyWhere(({ handover }) => handover?.status === "UNDER_REVIEW")

const fileOf = (journey: Journey, facts: Partial<CaseFacts>) =>
  caseFile(journey, { ...nothingKept, ...facts }, paths, null)

const attemptOf = (message: JourneyMessage) => {
  const heard = [{ messageId: "m", sender: "identity", message, at: Date.UTC(2026, 0, 20) }]
  return fileOf(underReview, { heard }).identity?.attempts[0]
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

  it("whose photos are still looked at is shown without a verdict", () => {
    const attempts = [{ id: AttemptId.make(exampleId("check", 1)), at: Date.UTC(2026, 0, 20), verdict: null }]
    expect(fileOf(underReview, { attempts }).identity?.attempts).toMatchObject([{ id: attempts[0]?.id, verdict: null }])
  })
})

describe("the consents", () => {
  it("of the customer who took one back are both: what was agreed to, and the withdrawal, each by who gave it", () => {
    const agreed = { notice: noticeOfStart, at: Date.UTC(2026, 0, 19) }
    const video = { answer: "WITHDRAWN", notice: noticeOfStart, at: Date.UTC(2026, 0, 20), agreed } as const
    expect(fileOf({ ...underReview, consents: { video } }, {}).consents).toMatchObject([
      { about: "HANDOVER_VIDEO", answer: "AGREED", by: "CALLER" },
      { about: "HANDOVER_VIDEO", answer: "WITHDRAWN", by: "CUSTOMER" }
    ])
  })

  it("of an application are refused where one of them is", () => {
    const read = decodeStart(startExamples.FINANCE_ALREADY_SUBMITTED, {
      companyKind: "DEALER",
      isDealerKnown: true,
      now: Date.UTC(2026, 0, 20),
      transport: "JSON",
      photo: null
    })
    if (Result.isFailure(read)) throw new Error("the example is refused")
    const answered = (creditCheck: boolean) => {
      const consents = { ...startExamples.FINANCE_SUBMIT_VIA_MIRA.finance.consents, creditCheck }
      const finance = "finance" in read.success ? { ...read.success.finance, consents } : {}
      const start = storedStart(JSON.parse(JSON.stringify({ ...read.success, finance })))
      return fileOf(underReview, { start }).consents.map(({ answer }) => answer)
    }
    expect([answered(true), answered(false)]).toEqual([["AGREED"], ["REFUSED"]])
  })
})

const upload = { begunAt: Date.UTC(2026, 0, 20), completedAt: null, kind: "MP4", seconds: 3, bytes: 5 }
const pathAfter = (completedAt: number | null) =>
  fileOf(withVideo, { uploads: [{ ...upload, completedAt }] }).video?.path

describe("the video", () => {
  it("has a path once an upload is complete", () => {
    expect([pathAfter(null), pathAfter(Date.UTC(2026, 0, 21))]).toEqual([null, "/video"])
  })

  it("leads to the photo that it was compared with, and to no other of that name", () => {
    const reference = { name: "selfie", of: exampleId("check", 1), replaced: false } as const
    const pathOf = (of: string) =>
      fileOf(withVideo, { reference, pictures: [{ name: "selfie", of }] }).video?.reference?.path
    expect([pathOf(exampleId("check", 1)), pathOf(exampleId("check", 2))]).toEqual(["/picture", null])
  })
})
