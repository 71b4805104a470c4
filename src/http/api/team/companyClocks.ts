/**
 * The clocks of the sandbox for a company's people and for commands. These endpoints do what those for a test key do, and
 * each writes a line in the audit log.
 */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ClockAdvanceBody, TestClockBody } from "../../../schema/requests/TestClock.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { described, OptionalBody } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { success } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDown } from "../frame/asTeam.ts"
import { companyAsked, companyPath, ofCompany } from "../frame/ofCompany.ts"
import { repeatable } from "../frame/asCaller.ts"
import {
  advanced,
  AdvancedAnswer,
  ClockAnswer,
  ClocksAnswer,
  ended,
  failing,
  found,
  listed,
  made,
  ofClock,
  ofMaking,
  resourceOf,
  sayings
} from "../journeys/clockActions.ts"

const ofPeople = `${companyPath}/clocks` as const
const oneOfPeople = `${ofPeople}/:clockId` as const
const ofCompanyClock = { ...ofCompany, ...ofClock }
const forTeam = { allowedTo: "TEAM" } as const

const createCompanyClock = HttpApiEndpoint.post("createCompanyClock", ofPeople, {
  params: ofCompany,
  headers: repeatable,
  payload: TestClockBody,
  success: ClockAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyCompany, "CONFLICT", ...ofMaking)
})
  .annotate(OptionalBody, true)
  .annotateMerge(described({ ...sayings.create, ...forTeam }))

const listCompanyClocks = HttpApiEndpoint.get("listCompanyClocks", ofPeople, {
  params: ofCompany,
  success: ClocksAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(described({ ...sayings.list, ...forTeam }))

const getCompanyClock = HttpApiEndpoint.get("getCompanyClock", oneOfPeople, {
  params: ofCompanyClock,
  success: ClockAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(described({ ...sayings.get, ...forTeam }))

const advanceCompanyClock = HttpApiEndpoint.post("advanceCompanyClock", `${oneOfPeople}/advance`, {
  params: ofCompanyClock,
  headers: repeatable,
  payload: ClockAdvanceBody,
  success: AdvancedAnswer,
  error: refusedWith(ofAnyCompany, ...failing.change)
}).annotateMerge(described({ ...sayings.advance, ...forTeam }))

const endCompanyClock = HttpApiEndpoint.delete("endCompanyClock", oneOfPeople, {
  params: ofCompanyClock,
  success: ClockAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(described({ ...sayings.end, ...forTeam }))

export const companyClockOperations = operatorResource(
  [createCompanyClock, listCompanyClocks, getCompanyClock, advanceCompanyClock, endCompanyClock],
  {
    createCompanyClock: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        const { clock, isNew } = yield* made(id, asked.request, asked.body)
        if (isNew) yield* writeDown(id, "test_clock.made", { clockId: clock.id })
        return success(201, resourceOf(clock), sayings.create.answer.message)
      }),
    listCompanyClocks: (asked) => Effect.flatMap(companyAsked(asked), ({ id }) => listed(id)),
    getCompanyClock: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        return resourceOf(yield* found(id, yield* asked.path("clockId")))
      }),
    advanceCompanyClock: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        const clock = yield* found(id, yield* asked.path("clockId"))
        const { done } = yield* advanced(clock, asked.request, asked.body)
        yield* writeDown(id, "test_clock.advanced", { clockId: clock.id, to: done.clock.now })
        return done
      }),
    endCompanyClock: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        const clock = yield* found(id, yield* asked.path("clockId"))
        yield* writeDown(id, "test_clock.ended", { clockId: clock.id })
        return yield* ended(clock)
      })
  }
)
