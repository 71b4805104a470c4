/**
 * Starts the example of a shape as a test journey, for somebody who tries the service out: the body that the documents show, by the
 * rules of any start with a test key. Whose journey it is, and who may start one, is decided by the caller.
 */
import { Clock, Effect } from "effect"
import { canonicalJson } from "../../../../schema/canonicalJson.ts"
import type { Shape } from "../../../../schema/journey/statuses.ts"
import { decodeStart } from "../../../../schema/start/decodeStart.ts"
import { startExamples } from "../../../../schema/start/examples.ts"
import { sentPhoto } from "../../../../schema/start/rules.ts"
import type { StartingKey } from "../../../company/Keyring.ts"
import { SamplePhoto } from "../../../faces/SamplePhoto.ts"
import type { StartingClock } from "./startCommit.ts"
import { StartJourneys } from "./StartJourneys.ts"

interface ExampleStart {
  readonly company: StartingKey["company"]
  readonly shape: Shape
  readonly sender: string
  readonly idempotencyKey: string
  readonly clock?: StartingClock | null
}

export const startExample = Effect.fnUntraced(function* ({
  clock = null,
  company,
  idempotencyKey,
  sender,
  shape
}: ExampleStart) {
  const sample = yield* SamplePhoto
  const journeys = yield* StartJourneys
  const photo = shape === "FINANCE_SALE" ? yield* sample.jpeg : null
  const body = startExamples[shape]
  const request = decodeStart(body, {
    companyKind: company.kind,
    isDealerKnown: true,
    now: yield* Clock.currentTimeMillis,
    transport: photo === null ? "JSON" : "MULTIPART",
    photo: photo === null ? null : sentPhoto(photo)
  })
  return yield* journeys.start({
    key: { livemode: false, company },
    sender,
    idempotencyKey,
    canonical: canonicalJson(body),
    request,
    photo,
    ...(clock === null ? {} : { clock })
  })
})
