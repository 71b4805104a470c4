/**
 * The example of a case file for the documents: a completed application with every part filled in, put together by the
 * function that makes real case files. People, addresses and times are invented.
 */
import { caseFile, type CasePaths } from "../../actors/review/caseFile.ts"
import type { HeardMessage } from "../../actors/review/CaseFiles.ts"
import { exampleId } from "../../schema/exampleId.ts"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import type { CaseFileResource } from "../../schema/review/CaseFile.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { storedStart } from "../../schema/start/storedStart.ts"
import { completedJourney } from "./exampleJourneys.ts"

const begun = completedJourney.createdAt
const hour = 60 * 60 * 1000
const attemptId = exampleId("attempt", 7)

const heard = (hours: number, sender: string, message: JourneyMessage, messageId = exampleId("change", hours)) =>
  ({ at: begun + hours * hour, sender, message, messageId }) satisfies HeardMessage

/** `pathsOf` says where photos, video and timeline of a journey are. */
export const exampleCase = (pathsOf: (companyId: CompanyId, journeyId: JourneyId) => CasePaths): CaseFileResource => {
  const { companyId, id } = completedJourney
  const shape = "FINANCE_SUBMIT_VIA_MIRA"
  return caseFile(
    completedJourney,
    {
      start: storedStart({ shape, ...startExamples[shape] }),
      address: {
        value: { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" },
        at: begun + 12 * hour
      },
      attempts: [{ id: attemptId, at: begun + 7 * hour, verdict: "UNCLEAR" }],
      heard: [
        heard(7, "identity", { _tag: "IdentityUnderReview", check: 0, reasons: ["FACES_UNCLEAR"] }, attemptId),
        heard(9, "operator", { _tag: "IdentityVerified", reviewed: 1 }),
        heard(13, "customer", { _tag: "VideoUploaded" }),
        heard(14, "video", { _tag: "VideoUnclear", reasons: ["VIDEO_UNCLEAR", "TURNS_NOT_SEEN"] }),
        heard(15, "operator", { _tag: "TeamApprovesVideo" })
      ],
      uploads: [
        { begunAt: begun + 12.9 * hour, completedAt: begun + 13 * hour, kind: "WEBM", seconds: 21.4, bytes: 6_480_112 }
      ],
      frames: [
        { number: 1, at: 1337, outcome: "SAME", similarity: 0.71, turned: null },
        { number: 2, at: 4012, outcome: "NO_FACE", similarity: null, turned: null },
        { number: 3, at: 3500, outcome: "NOT_COMPARED", similarity: null, turned: 0.26 },
        { number: 4, at: 5500, outcome: "NOT_COMPARED", similarity: null, turned: -0.24 }
      ],
      turns: { asked: ["LEFT", "RIGHT", "RIGHT"], seen: ["LEFT", "RIGHT"], outcome: "NOT_SEEN" },
      reference: { name: "selfie", of: attemptId, replaced: false },
      pictures: [{ name: "selfie", of: attemptId }],
      mediaKeptUntil: begun + 31 * 24 * hour,
      customerKeptUntil: begun + 731 * 24 * hour,
      applicationKeptUntil: null
    },
    pathsOf(companyId, id),
    null
  )
}
