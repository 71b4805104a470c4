/**
 * A journey's case file, for the company's team, and the export of all that is kept, for its owners. Everything personal is opened for one answer and stored nowhere on the way;
 * every read is in the audit log, with who read what of which journey. Its photos and its video are in `caseMedia.ts`.
 */
import { Clock, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { caseFile, type CasePaths } from "../../../actors/review/caseFile.ts"
import { CaseFiles, type CaseFacts } from "../../../actors/review/CaseFiles.ts"
import { CompanyId, type JourneyId } from "../../../schema/ids.ts"
import { CaseFileResource, CaseQuery } from "../../../schema/review/CaseFile.ts"
import { CaseExportResource } from "../../../schema/review/CaseExport.ts"
import { exportLimits } from "../../../schema/review/limits.ts"
import type { TimelineEntry } from "../../../schema/review/timeline.ts"
import { timestamp } from "../../../schema/moment.ts"
import { startExamples } from "../../../schema/start/examples.ts"
import { uuid } from "../../../schema/uuid.ts"
import { Timeline } from "../../../actors/review/Timeline.ts"
import { exportedEntry } from "../../documents/exampleEntry.ts"
import { exampleCase } from "../../documents/exampleCase.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDown } from "../frame/asTeam.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "../frame/ofCompanyJourney.ts"

const path = `${companyJourneyPath}/case` as const

const pathsOf = (companyId: CompanyId, journeyId: JourneyId): CasePaths => {
  const journey = `/settings/v1/companies/${companyId}/journeys/${journeyId}`
  return {
    picture: ({ name, of }) => `${journey}/case/pictures/${of}/${name}`,
    video: `${journey}/case/video`,
    frame: (number) => `${journey}/case/video/frames/${number}`,
    timeline: `${journey}/timeline`
  }
}

const getCase = HttpApiEndpoint.get("getCase", path, {
  params: ofCompanyJourney,
  query: CaseQuery,
  success: answerOf("CaseFileAnswer", CaseFileResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Read a journey's case file",
    allowedTo: "TEAM",
    description:
      "Everything the team needs: customer, vehicle, notes, the confirmed address, finance as recorded, consents, the attempts at the identity check, videos with their verdicts, and where photos, video and timeline are. Live and test journeys. Every read is in the audit log as `case.opened`, with `reason`. What was erased is null.",
    answer: answer("The case file", "Case file", exampleCase(pathsOf))
  })
)

/** The name of the dealer who sells. A test key may name any id (V7), so a test journey tells no company's name. */
const dealerName = Effect.fnUntraced(function* ({ livemode }: Journey, { start }: CaseFacts) {
  const id = start?.vehicle.dealerCompanyId?.toLowerCase()
  if (!livemode || id === undefined || !uuid.test(id)) return null
  const companies = yield* CompanyStore
  return (yield* companies.find(CompanyId.make(id)))?.name ?? null
})

const fileOf = Effect.fnUntraced(function* (companyId: CompanyId, journey: Journey, facts: CaseFacts) {
  return caseFile(journey, facts, pathsOf(companyId, journey.id), yield* dealerName(journey, facts))
})

const exportCase = HttpApiEndpoint.get("exportCase", `${companyJourneyPath}/export`, {
  params: ofCompanyJourney,
  success: answerOf("CaseExportAnswer", CaseExportResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Export all that is kept of a customer in a journey",
    allowedTo: "OWNER",
    description: `What a customer may ask for: the case file with the places of photos and video, the start as it was sent, and the timeline with ${exportLimits.mostLines} lines at most. Each journey of a customer has its own; the list finds them by registration or reference. The audit log has it as \`case.exported\`.`,
    answer: answer("All that is kept", "Exported", {
      exportedAt: "2026-02-01T09:00:00.000Z",
      caseFile: exampleCase(pathsOf),
      start: startExamples.FINANCE_SUBMIT_VIA_MIRA,
      timeline: [exportedEntry],
      isTimelineWhole: true
    } satisfies CaseExportResource)
  })
)

/** The lines of the journey up to a bound, and whether these are all. */
const wholeTimeline = Effect.fnUntraced(function* (journey: Journey) {
  const timeline = yield* Timeline
  const lines: Array<TimelineEntry> = []
  const size = exportLimits.linesAtOnce
  for (let page = 0; lines.length < exportLimits.mostLines; page += 1) {
    const read = yield* timeline.read(journey, { order: "OLDEST_FIRST", upTo: null, page, size })
    lines.push(...read.content)
    if (lines.length >= read.totalElements) return { timeline: lines, isTimelineWhole: true }
  }
  return { timeline: lines, isTimelineWhole: false }
})

export const caseOperations = operatorResource([getCase, exportCase], {
  getCase: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const { reason = "support" } = yield* asked.query
      const files = yield* CaseFiles
      const found = yield* fileOf(company.id, journey, yield* files.read(journey.id))
      yield* writeDown(company.id, "case.opened", { journeyId: journey.id, reason })
      return found
    }),

  exportCase: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const files = yield* CaseFiles
      const facts = yield* files.read(journey.id)
      const found: CaseExportResource = {
        exportedAt: timestamp(yield* Clock.currentTimeMillis),
        caseFile: yield* fileOf(company.id, journey, facts),
        start: facts.start === null ? null : { ...facts.start },
        ...(yield* wholeTimeline(journey))
      }
      yield* writeDown(company.id, "case.exported", { journeyId: journey.id })
      return found
    })
})
