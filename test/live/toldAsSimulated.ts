/**
 * What a live journey told its company, compared with what a test journey tells that is simulated over HTTP on the same way
 * (W2): equal but for ids, times and the mode.
 */
import { expect } from "vitest"
import type { SimulatableEvent } from "../../src/schema/journey/events.ts"
import { ask, type Answer, type TestCompany } from "../support/companies.ts"
import type { Service } from "../support/service.ts"

interface Way {
  readonly company: TestCompany
  /** Starts the same journey with this key. */
  readonly begin: (key: string, email: string) => Promise<Pick<Answer, "status" | "data">>
  readonly simulated: ReadonlyArray<SimulatableEvent>
  /** The sandbox's check is the built-in one; an outside provider's has a beginning and an assurance of its own. */
  readonly isCheckedOutside?: boolean
}

/** Its sandbox takes no step by itself. */
const byHand = "simulated+never@example.com"

const isId = (value: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value)
const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)

const ofTheCheck = new Set(["assurance", "identityStatus"])

const withoutIdsAndTimes = (name: string, value: unknown): unknown => {
  if (name === "livemode") return "the mode"
  if (typeof value !== "string") return value
  return isId(value) ? "an id" : isTime(value) ? "a time" : value
}

const toldBy = async (
  { query }: Service,
  journeyId: string,
  isCheckedOutside: boolean
): Promise<ReadonlyArray<unknown>> => {
  const events = await query<{ readonly body: string }>(
    "select body from events where journey_id = $1 order by sequence",
    [journeyId]
  )
  return events.map(({ body }) =>
    JSON.parse(body, (name, value: unknown) =>
      isCheckedOutside && ofTheCheck.has(name) ? undefined : withoutIdsAndTimes(name, value)
    )
  )
}

export const expectToldAsSimulated = async (
  service: Service,
  liveId: string,
  { begin, company, isCheckedOutside = false, simulated }: Way
): Promise<void> => {
  const { data, status } = await begin(company.testKey, byHand)
  expect(status).toBe(202)
  for (const event of simulated) {
    const answer = await ask(service, company.testKey, `/api/v1/journeys/${data.id}/simulate`, { body: { event } })
    expect(answer.status, `${event}: ${answer.message}`).toBe(200)
  }
  const [live, test] = [
    await toldBy(service, liveId, isCheckedOutside),
    await toldBy(service, data.id, isCheckedOutside)
  ]
  expect(live.length).toBeGreaterThan(simulated.length)
  expect(live).toEqual(test)
}
