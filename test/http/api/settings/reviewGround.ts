/** Test journeys that wait for their company's team, as tests of reviews need them. Not a test itself. */
import {
  ask,
  askSettings,
  makeCompany,
  start,
  startBody,
  type Answer,
  type TestCompany
} from "../../../support/companies.ts"
import type { Service } from "../../../support/service.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"

/** A company whose test journeys move only when they are told to. */
export const slowCompany = (service: Service): Promise<TestCompany> =>
  makeCompany(service, { settings: { sandbox: { pace: "manual" }, identityProvider: { kind: "BUILT_IN" } } })

let people = 0

/** A test journey of a customer of its own, moved on to an event. */
export const journeyAt = async (
  service: Service,
  company: TestCompany,
  shape: Shape,
  event: string | null,
  email = `person${(people += 1)}@example.com`,
  name: { readonly firstName?: string } = {}
): Promise<{ readonly id: string; readonly customerReference: string }> => {
  const body = startBody(shape)
  Object.assign(body.customer, { email }, name)
  const started = await start(service, company.testKey, body)
  if (started.status !== 202) throw new Error(`the start was refused: ${started.message}`)
  if (event !== null) await simulate(service, company, started.data.id, event)
  return started.data
}

export const simulate = async (service: Service, company: TestCompany, id: string, event: string): Promise<void> => {
  const answer = await ask(service, company.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } })
  if (!answer.success) throw new Error(`${event} cannot be simulated: ${answer.message}`)
}

/** A test journey whose check could not be started. */
export const unavailableJourney = (service: Service, company: TestCompany) =>
  journeyAt(service, company, "IDENTITY_DELIVERY", null, `person${(people += 1)}+identity_unavailable@example.com`)

export const reviewsOf = async (service: Service, company: TestCompany, query = "mode=TEST") =>
  (await askSettings(service, `/companies/${company.id}/reviews?${query}`)).data

/** The one review that a journey waits for. */
export const reviewOf = async (service: Service, company: TestCompany, journeyId: string): Promise<string> => {
  const { content } = await reviewsOf(service, company, "mode=TEST&size=100")
  const found = content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
  if (found === undefined) throw new Error(`journey ${journeyId} waits for no review`)
  return found.id
}

const good = "The document's photo is of the same person"

export const decide = (
  service: Service,
  company: TestCompany,
  reviewId: string,
  decision: unknown = "APPROVE",
  { key, reason = good }: { readonly key?: string; readonly reason?: unknown } = {}
): Promise<Answer> =>
  askSettings(service, `/companies/${company.id}/reviews/${reviewId}/decision`, {
    body: { decision, reason },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } })
  })

export const codesOf = (answer: Answer) => answer.errors?.map(({ code, field }) => [field, code])
