/** The export of all that is kept of a customer in a journey: what it holds, who is written down for it, and what an erasure leaves of it. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"
import { codesOf } from "./reviewGround.ts"
import { exportLimits } from "../../../../src/schema/review/limits.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 20, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const messagesOf = (lines: ReadonlyArray<{ readonly message: string }>) => lines.map(({ message }) => message)

it("has the case file, the start as it was sent and the whole timeline, is written down, and is empty after an erasure", async () => {
  const body = startBody("CASH_SALE")
  body.delivery.notes = "Ring twice."
  const { data } = await start(service, company.liveKey, body)
  const journey = `/companies/${company.id}/journeys/${data.id}`
  const exported = (await askSettings(service, `${journey}/export`)).data
  expect(exported).toMatchObject({
    exportedAt: expect.any(String),
    caseFile: (await askSettings(service, `${journey}/case`)).data,
    start: { customer: body.customer, vehicle: body.vehicle, delivery: body.delivery },
    isTimelineWhole: true
  })
  const { content } = (await askSettings(service, `${journey}/timeline?size=100`)).data
  const exportedMessages = messagesOf(exported.timeline)
  expect(exportedMessages.length).toBeGreaterThan(0)
  expect(messagesOf(content).slice(0, exportedMessages.length)).toEqual(exportedMessages)

  const { content: lines } = (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data
  expect(lines).toContainEqual(
    expect.objectContaining({ actor: "operator", action: "case.exported", details: { journeyId: data.id } })
  )
  const other = await makeCompany(service)
  const foreign = await askSettings(service, `/companies/${other.id}/journeys/${data.id}/export`)
  expect(codesOf(foreign)).toEqual([["journey", "NOT_FOUND"]])

  await askSettings(service, `/companies/${company.id}/customers/${data.customerReference}`, { method: "DELETE" })
  const erased = (await askSettings(service, `${journey}/export`)).data
  expect([erased.start, erased.caseFile.erased]).toEqual([null, true])
  expect(JSON.stringify(erased)).not.toContain(body.customer.lastName)
})

const versions = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

it("has every line of a timeline up to its bound, each once, and says so only when there are more", async () => {
  const { data } = await start(service, company.liveKey, startBody("CASH_SALE"))
  const { linesAtOnce, mostLines } = exportLimits
  let lines = 1
  /** What an export has of a journal of so many lines. */
  const exportedOf = async (count: number) => {
    await service.query(
      `insert into journal (journey_id, version, message_id, sender, message, at)
       select $1, n, gen_random_uuid(), 'identity', '{"_tag": "SomethingNew"}', now() from generate_series($2::int4, $3::int4) n`,
      [data.id, lines + 1, count]
    )
    lines = count
    const exported = (await askSettings(service, `/companies/${company.id}/journeys/${data.id}/export`)).data
    return {
      versions: exported.timeline.map(({ version }: { readonly version: number }) => version),
      isWhole: exported.isTimelineWhole
    }
  }
  for (const count of [linesAtOnce, linesAtOnce + 1, mostLines]) {
    expect(await exportedOf(count)).toEqual({ versions: versions(count), isWhole: true })
  }
  expect(await exportedOf(mostLines + 1)).toEqual({ versions: versions(mostLines), isWhole: false })
})
