/** Journeys that a back office looks at: one with a reviewer, and one with a photo. Not a test itself. */
import { Effect } from "effect"
import { expect } from "vitest"
import { customerPhoto } from "../../../src/runtime/firstStart/samplePhoto.ts"
import { ask, start, startBody } from "../../support/companies.ts"
import type { Service } from "../../support/service.ts"

/** A test journey whose identity check is with a reviewer. */
export const startInReview = async (service: Service, testKey: string): Promise<void> => {
  const { data } = await start(service, testKey, startBody("IDENTITY_DELIVERY"))
  const body = { event: "identity.under_review" }
  expect((await ask(service, testKey, `/api/v1/journeys/${data.id}/simulate`, { body })).status).toBe(200)
}

/** The id of a live finance sale, which keeps the photo that its caller has sent. */
export const startWithPhoto = async ({ baseUrl }: Service, liveKey: string): Promise<string> => {
  const form = new FormData()
  form.set("journey", new Blob([JSON.stringify(startBody("FINANCE_SALE"))], { type: "application/json" }))
  form.set("customerFace", new Blob([await Effect.runPromise(customerPhoto)], { type: "image/jpeg" }))
  const started = await fetch(`${baseUrl}/api/v1/journeys`, {
    method: "POST",
    headers: { authorization: `Bearer ${liveKey}`, "idempotency-key": "sale-with-photo" },
    body: form
  })
  const { data } = (await started.json()) as { readonly data: { readonly id: string } }
  return data.id
}
