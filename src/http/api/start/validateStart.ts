/**
 * The dry run of a start: the body of a start, read and judged as a start's is, and the answer is what a start would tell, or
 * what its journey would come to. It creates, holds and remembers nothing.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import type { StartPreview } from "../../../actors/journey/actor/start/previewStart.ts"
import { StartJourneys } from "../../../actors/journey/actor/start/StartJourneys.ts"
import { holdsFor } from "../../../actors/journey/rules/preconditions.ts"
import { isCustomerMail } from "../../../schema/mail/mailKinds.ts"
import { StartPlan } from "../../../schema/plan/StartPlan.ts"
import { exampleStories } from "../../documents/exampleJourneys.ts"
import { described, Permitted } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { journeysPath, write } from "../frame/asCaller.ts"
import { ofShapes, readStart, refusalsOfStart, startRefusals, startRequests } from "./readStart.ts"
import { SandboxClock } from "./startClock.ts"
import { StartJourney, StartJourneyWithPhoto } from "./startRequest.ts"

const planOf = ({ billing, end, steps }: StartPreview): StartPlan => ({
  livemode: end.livemode,
  steps: steps.map(({ charges, events, mails, on, who }) => ({
    on,
    who,
    events,
    mails: mails.map((kind) => ({ kind, to: isCustomerMail(kind) ? "CUSTOMER" : "TEAM" })),
    charges
  })),
  ends: end.status,
  billing
})

export const StartPlanAnswer = answerOf("StartPlanAnswer", StartPlan)

const validateStart = HttpApiEndpoint.post("validateStart", `${journeysPath}/validate`, {
  headers: { "Sandbox-Clock": Schema.optionalKey(SandboxClock) },
  payload: [StartJourney, StartJourneyWithPhoto],
  success: StartPlanAnswer,
  error: refusedWith(refusalsOfStart)
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Try a start without starting",
      description: [
        "Takes the body of a start and creates nothing: no journey, no mail, no hold on a wallet, and no memory of the request. It needs no Idempotency-Key and looks at none. It counts towards the rate limit as a start does.",
        "",
        "What a start would refuse is refused with the same codes. A start tells the problems of its body, or else the first of what follows: the photo, what the company has not set up, its credits. Here all of these are told at once, and the first is the one that a start would tell.",
        "",
        "Otherwise the answer is the plan: what will be asked of whom, which events and mails follow, and what is billed to which wallet. It says how the journey goes when everybody does their part; with a test key, how its scenario goes."
      ].join("\n"),
      request: startRequests,
      answer: {
        description: "A start with this body would be accepted now",
        message: "The start would be accepted",
        examples: ofShapes(["FINANCE_SUBMIT_VIA_MIRA", "CASH_SALE"], (shape) =>
          planOf({
            ...exampleStories(shape),
            billing: holdsFor(shape).map(({ credits, wallet }) => ({ wallet, credits, free: 120 }))
          })
        )
      }
    })
  )

export const validateOperations = callerResource([validateStart], {
  validateStart: ({ caller, request }) =>
    Effect.gen(function* () {
      const { judged, photo } = yield* readStart(request, caller)
      const { preview } = yield* StartJourneys
      return planOf(yield* preview({ key: caller.key, request: judged, photo }).pipe(Effect.catchTags(startRefusals)))
    })
})
