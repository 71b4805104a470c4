/**
 * A journey's case file, for the company's team. Everything personal is opened for one answer and stored nowhere on the way;
 * every read is in the audit log, with who read what of which journey. Its photos and its video are in `caseMedia.ts`.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CompanyStore } from "../../actors/company/CompanyStore.ts"
import type { Journey } from "../../actors/journey/rules/Journey.ts"
import { caseFile, type CasePaths } from "../../actors/review/caseFile.ts"
import { CaseFiles, type CaseFacts } from "../../actors/review/CaseFiles.ts"
import { CompanyId, type JourneyId } from "../../schema/ids.ts"
import { CaseFileResource, CaseQuery } from "../../schema/review/CaseFile.ts"
import { uuid } from "../../schema/uuid.ts"
import { exampleCase } from "../documents/exampleCase.ts"
import { ofAnyCompany } from "../server/commonRefusals.ts"
import { answer, described } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { operatorResource } from "../server/serve.ts"
import { writeDown } from "./asTeam.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "./ofCompanyJourney.ts"

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

export const caseOperations = operatorResource([getCase], {
  getCase: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const { reason = "support" } = yield* asked.query
      const files = yield* CaseFiles
      const facts = yield* files.read(journey.id)
      const found = caseFile(journey, facts, pathsOf(company.id, journey.id), yield* dealerName(journey, facts))
      yield* writeDown(company.id, "case.opened", { journeyId: journey.id, reason })
      return found
    })
})
