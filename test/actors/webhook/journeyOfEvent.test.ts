/** Which journey an event tells of, as a receiver learns it from `journeys/webhooks`: also of types and forms to come. */
import { expect, it } from "vitest"
import { journeyIdOf, verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { signedDelivery } from "../../../src/runtime/client/lib/deliveries.ts"

const event = { id: "019bc0a1-7c00-7004-8000-000000000001", type: "journey.paused" }

it("an event of a type that is newer than the module tells its journey", () => {
  const later = { ...event, data: { journeyId: "j-1", note: 1 } }
  const delivery = signedDelivery(later, "whsec_one")
  expect(journeyIdOf(verifyWebhook({ ...delivery, secret: "whsec_one" }))).toBe("j-1")
})

it.each([{ endpointId: "e-1" }, undefined, null, "text", ["j-1"], { journeyId: 1 }])(
  "an event with the data %j tells no journey",
  (data) => {
    expect(journeyIdOf({ ...event, data })).toBeNull()
  }
)
