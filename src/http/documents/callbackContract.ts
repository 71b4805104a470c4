/**
 * Where outside providers call back, as a contract, with its examples. It handles nothing; `callbacks/callbackRoutes.ts`
 * does, and a test holds the two together.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  FinanceCallbackBody,
  IdentityCallbackBody,
  type FinanceCallbackBody as FinanceCallback,
  type IdentityCallbackBody as IdentityCallback
} from "../../schema/journey/callbacks.ts"
import { answerOf, failuresOf } from "../server/envelope.ts"
import { answered, type Answers, type Requests } from "../server/exampleAnswer.ts"
import { refusals } from "./refusals.ts"
import { SignatureRequired } from "../server/security.ts"
import { says, uuid } from "./settingsParts.ts"

const CallbackAnswer = answerOf("CallbackAnswer", Schema.Null)

const again =
  "Any 2xx ends it. A callback that comes again with the same `id`, or too late to matter, is answered with 200 and changes nothing."

export const callbacks = HttpApiGroup.make("callbacks", { topLevel: true })
  .add(
    HttpApiEndpoint.post("receiveFinanceDecision", "/callbacks/v1/finance/:submissionId", {
      params: { submissionId: uuid.annotate({ description: "The submissionId the application was sent under" }) },
      payload: FinanceCallbackBody,
      success: CallbackAnswer,
      error: failuresOf(refusals.receiveFinanceDecision)
    }).annotateMerge(says("Report a finance decision", `From the company's finance panel. ${again}`)),
    HttpApiEndpoint.post("receiveIdentityResult", "/callbacks/v1/identity/:checkId", {
      params: { checkId: uuid.annotate({ description: "The checkId the check was asked for under" }) },
      payload: IdentityCallbackBody,
      success: CallbackAnswer,
      error: failuresOf(refusals.receiveIdentityResult)
    }).annotateMerge(says("Report an identity result", `From the company's identity provider. ${again}`))
  )
  .middleware(SignatureRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Provider callbacks",
      description:
        "For a company's finance panel and identity provider. They are called with signed requests and call back here, signed the same way with the secret both sides know."
    })
  )

const received = {
  200: { description: "Received", examples: { Example: answered("Received", "Callback received", null) } }
}

export const callbackAnswers: Answers = { receiveFinanceDecision: received, receiveIdentityResult: received }

const json = (summary: string, value: unknown) => ({ "application/json": { Example: { summary, value } } })

export const callbackRequests: Requests = {
  receiveFinanceDecision: json("The lender approves", {
    id: "decision-20417",
    decision: "APPROVED"
  } satisfies FinanceCallback),
  receiveIdentityResult: json("The customer is who they say", {
    id: "result-88213",
    result: "VERIFIED"
  } satisfies IdentityCallback)
}
