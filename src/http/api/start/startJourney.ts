/**
 * The start of a journey. The request is read in the order of decision V15 and handed to `StartJourneys`, which decides
 * what becomes of it. How a body is read is in `readStart.ts`, what it must hold in `schema/start`.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { photoDigest } from "../../../actors/journey/actor/start/photoDigest.ts"
import { StartJourneys } from "../../../actors/journey/actor/start/StartJourneys.ts"
import { canonicalJson } from "../../../schema/canonicalJson.ts"
import { Shape } from "../../../schema/journey/statuses.ts"
import { imageType } from "../../../schema/media/imageHeader.ts"
import { IdempotencyKey } from "../../../schema/decoding/parameters.ts"
import { journeysLater, startedJourneys } from "../../documents/exampleJourneys.ts"
import { described, Permitted } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { success } from "../../server/answers/problems.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { SandboxClock } from "./startClock.ts"
import { idempotencyKey, journeysPath, replayed, write } from "../frame/asCaller.ts"
import { JourneyAnswer } from "../frame/journeyAnswer.ts"
import { ofShapes, readStart, refusalsOfStart, startRefusals, startRequests, type StartBody } from "./readStart.ts"
import { StartJourney, StartJourneyWithPhoto } from "./startRequest.ts"

const startJourney = HttpApiEndpoint.post("startJourney", journeysPath, {
  headers: { "Idempotency-Key": IdempotencyKey, "Sandbox-Clock": Schema.optionalKey(SandboxClock) },
  payload: [StartJourney, StartJourneyWithPhoto],
  success: [JourneyAnswer.pipe(HttpApiSchema.status(202)), JourneyAnswer.pipe(HttpApiSchema.status(200))],
  error: refusedWith(refusalsOfStart, "IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_REUSED")
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Start a journey",
      description: [
        "Accepts a journey and answers at once; what follows is told by events and by reading the journey.",
        "",
        "Send JSON, except for a DELIVERY with `saleType` FINANCE_SALE: that one is `multipart/form-data` with the part `journey` (JSON) and the part `customerFace` (the photo).",
        "",
        "A body is checked as a whole: the answer lists every problem it has. Problems of form (400) come before those of rights, consents and configuration (422)."
      ].join("\n"),
      request: startRequests,
      answer: {
        200: {
          description:
            "The Idempotency-Key was used before with the same body: the journey of that start as it is now. No second journey exists.",
          message: "Journey already accepted",
          examples: { Replay: { summary: "The same start again", value: journeysLater.approved } }
        },
        202: {
          description:
            "The journey was accepted. It may have ended already: a start with decision DECLINED is CANCELLED at once.",
          message: "Journey accepted",
          examples: ofShapes(Shape.literals, (shape) => startedJourneys[shape])
        }
      }
    })
  )

/** What makes two requests the same (decision I2): the canonical JSON, the photo's bytes and type, and the test clock. */
const canonicalText = ({ canonical, json, photo }: StartBody, clock: string | null): string | Uint8Array => {
  const ofPhoto = photo === null ? "" : `\n${photoDigest(photo)} ${imageType(photo)}`
  const beside = clock === null ? ofPhoto : `${ofPhoto}\nclock ${clock}`
  if (canonical === null) return canonicalJson(json) + beside
  return beside === "" ? canonical : Buffer.concat([canonical, Buffer.from(beside)])
}

export const startOperations = callerResource([startJourney], {
  startJourney: ({ caller, request }) =>
    Effect.gen(function* () {
      const key = yield* idempotencyKey(request)
      const { body, clock, judged, photo } = yield* readStart(request, caller)
      const { start } = yield* StartJourneys
      const { isReplay, journey } = yield* start({
        key: caller.key,
        sender: caller.sender,
        idempotencyKey: key,
        canonical: canonicalText(body, clock?.asked ?? null),
        request: judged,
        ...(clock?.at === undefined ? {} : { clock: clock.at }),
        photo
      }).pipe(Effect.catchTags(startRefusals))
      return isReplay
        ? success(200, journey, "Journey already accepted", replayed)
        : success(202, journey, "Journey accepted")
    })
})
