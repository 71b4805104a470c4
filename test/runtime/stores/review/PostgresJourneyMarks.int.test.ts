/** The mark of a journey and its deliveries: those at the endpoint of its own company and mode, whatever other endpoints there are. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JourneyMarks } from "../../../../src/actors/review/JourneyMarks.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { makeCompany } from "../../../support/companies.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { startService, type Service } from "../../../support/service.ts"
import { journeyAt, slowCompany } from "../../../http/api/settings/reviewGround.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it("is another one after an attempt to deliver, also where other companies and the other mode have endpoints", async () => {
  const company = await slowCompany(service)
  const other = await makeCompany(service)
  const url = "https://hooks.example.com/marks"
  // Whichever row a join with too many endpoints reads last, it is not the journey's own: there are others on both sides.
  const { id: before } = await makeCompany(service)
  await writeEndpoint(service.query, { companyId: before, url })
  await writeEndpoint(service.query, { companyId: company.id, url, livemode: true })
  await writeEndpoint(service.query, { companyId: company.id, url })
  await writeEndpoint(service.query, { companyId: other.id, url })
  await writeEndpoint(service.query, { companyId: other.id, url, livemode: true })
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  const marks = await service.run(Effect.flatMap(JourneyMarks, (store) => store.of([JourneyId.make(id)])))
  const attempts = `update deliveries set attempts = attempts + 10 where event_id in (select id from events where journey_id = $1)
    returning event_id`
  expect(await service.query(attempts, [id])).not.toEqual([])
  const next = await service.run(Effect.flatMap(JourneyMarks, (store) => store.of([JourneyId.make(id)])))
  expect(next.get(id)).not.toBe(marks.get(id))
})
