/** The clocks of the sandbox for callers with a test key. */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ClockAdvanceBody, TestClockBody } from "../../../schema/requests/TestClock.ts"
import { ofAnyKey } from "../../server/answers/commonRefusals.ts"
import { described, OptionalBody, Permitted } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { success } from "../../server/answers/problems.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { repeatable, replayed } from "../frame/asCaller.ts"
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
} from "./clockActions.ts"

const readable = { scope: "journeys:read", testOnly: true } as const
const changeable = { scope: "journeys:simulate", testOnly: true } as const

const path = "/api/v1/sandbox/clocks"
const onePath = `${path}/:clockId` as const

const createClock = HttpApiEndpoint.post("createClock", path, {
  headers: repeatable,
  payload: TestClockBody,
  success: ClockAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyKey, "CONFLICT", ...ofMaking)
})
  .annotate(Permitted, changeable)
  .annotate(OptionalBody, true)
  .annotateMerge(described(sayings.create))

const listClocks = HttpApiEndpoint.get("listClocks", path, { success: ClocksAnswer, error: refusedWith(ofAnyKey) })
  .annotate(Permitted, readable)
  .annotateMerge(described(sayings.list))

const getClock = HttpApiEndpoint.get("getClock", onePath, {
  params: ofClock,
  success: ClockAnswer,
  error: refusedWith(ofAnyKey, ...failing.read)
})
  .annotate(Permitted, readable)
  .annotateMerge(described(sayings.get))

const advance = HttpApiEndpoint.post("advanceClock", `${onePath}/advance`, {
  params: ofClock,
  headers: repeatable,
  payload: ClockAdvanceBody,
  success: AdvancedAnswer,
  error: refusedWith(ofAnyKey, ...failing.change)
})
  .annotate(Permitted, changeable)
  .annotateMerge(described(sayings.advance))

const endClock = HttpApiEndpoint.delete("endClock", onePath, {
  params: ofClock,
  success: ClockAnswer,
  error: refusedWith(ofAnyKey, ...failing.read)
})
  .annotate(Permitted, changeable)
  .annotateMerge(described(sayings.end))

export const clockOperations = callerResource([createClock, listClocks, getClock, advance, endClock], {
  createClock: ({ body, caller, request }) =>
    Effect.gen(function* () {
      const { clock } = yield* made(caller.key.company.id, request, body)
      return success(201, resourceOf(clock), sayings.create.answer.message)
    }),
  listClocks: ({ caller }) => listed(caller.key.company.id),
  getClock: ({ caller, path: of }) =>
    Effect.gen(function* () {
      return resourceOf(yield* found(caller.key.company.id, yield* of("clockId")))
    }),
  advanceClock: ({ body, caller, path: of, request }) =>
    Effect.gen(function* () {
      const clock = yield* found(caller.key.company.id, yield* of("clockId"))
      const { done, isReplay } = yield* advanced(clock, request, body)
      return isReplay ? success(200, done, sayings.advance.answer.message, replayed) : done
    }),
  endClock: ({ caller, path: of }) =>
    Effect.gen(function* () {
      return yield* ended(yield* found(caller.key.company.id, yield* of("clockId")))
    })
})
