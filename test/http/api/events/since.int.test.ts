/** Events from a time on, for callers who ask what has changed since then and have no place to go on from. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"
import { expectRefusal } from "../journeys/oracle.ts"
import { all, connect, get, page, writeEvent, type Wishes } from "./ground.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const minute = 60_000

/** Each test has a day of its own, later than those of the tests before: the place of a time is found among the events of every company. */
let day = 14
const nextNoon = () => {
  day += 1
  return { noon: Date.UTC(2026, 0, day, 12), since: new Date(Date.UTC(2026, 0, day, 12)).toISOString() }
}

const writeAll = async (company: TestCompany, wishes: ReadonlyArray<Wishes>) => {
  const ids: Array<string> = []
  for (const one of wishes) ids.push(await writeEvent(service.query, company.id, one))
  return ids
}

/** Other tests of the run share the server: their open transactions hold a list up for a moment. */
const allOnce = (company: TestCompany, count: number) =>
  eventually(
    () => all(service, company.testKey),
    (ids) => ids.length >= count
  )

describe("the events since a time", () => {
  it("are those that were written from then on, piece by piece, alone and with the other filters", async () => {
    const { noon, since } = nextNoon()
    const company = await makeCompany(service)
    const journeyId = randomUUID()
    const ids = await writeAll(company, [
      { writtenAt: noon - minute, journeyId, sequence: 1 },
      { writtenAt: noon - 1 },
      { writtenAt: noon },
      { writtenAt: noon + minute, journeyId, sequence: 2, type: "identity.requested" },
      { writtenAt: noon + 2 * minute, type: "ping", sequence: 0 }
    ])
    await allOnce(company, ids.length)
    const which = async (query: Readonly<Record<string, string>>) =>
      (await all(service, company.testKey, { size: "1", ...query })).map((id) => ids.indexOf(id))
    expect(await which({ since })).toEqual([2, 3, 4])
    expect(await which({ since: "2026-01-15T13:01:00+01:00" })).toEqual([3, 4])
    expect(await which({ since, journeyId })).toEqual([3])
    expect(await which({ since, type: "journey.created" })).toEqual([2])
    expect(await which({ since: "1969-12-31T23:00:00Z" })).toEqual([0, 1, 2, 3, 4])
    const { next } = await page(service, company.testKey, { since, size: "2" })
    expect(await which({ after: next })).toEqual([4])
  })

  it("leave none out when nodes disagree about the time, or a commit took long", async () => {
    const { noon, since } = nextNoon()
    const company = await makeCompany(service)
    const ids = await writeAll(company, [
      { writtenAt: noon + 2 * minute },
      { writtenAt: noon - minute },
      { writtenAt: noon }
    ])
    await allOnce(company, ids.length)
    expect(await all(service, company.testKey, { since })).toEqual([ids[0], ids[2]])
  })

  it("wait for an event that is still on its way", async () => {
    const { noon, since } = nextNoon()
    const company = await makeCompany(service)
    const slow = await connect(service.databaseUrl)
    try {
      await slow.query("begin")
      const first = await writeEvent(slow.query, company.id, { writtenAt: noon })
      const second = await writeEvent(service.query, company.id, { writtenAt: noon + minute })
      const before = await page(service, company.testKey, { since })
      expect(before.ids).toEqual([])
      await slow.query("commit")
      const found = await eventually(
        () => all(service, company.testKey, { since, after: before.next }),
        (ids) => ids.length >= 2
      )
      expect(found).toEqual([first, second])
    } finally {
      await slow.close()
    }
  })

  it("end at the present end when there are none: who goes on from there reads nothing old", async () => {
    const { noon } = nextNoon()
    const company = await makeCompany(service)
    await writeAll(company, [{ writtenAt: noon }])
    await allOnce(company, 1)
    const { ids, next } = await page(service, company.testKey, { since: "2099-01-01T00:00:00Z" })
    expect(ids).toEqual([])
    const [later] = await writeAll(company, [{}])
    const found = await eventually(
      () => all(service, company.testKey, { after: next }),
      (events) => events.length > 0
    )
    expect(found).toEqual([later])
  })

  it("are refused for what is no time", async () => {
    const company = await makeCompany(service)
    for (const wrong of ["yesterday", "2026-01-15", "2026-01-15T12:00:00"]) {
      expectRefusal(await get(service, company.testKey, `?since=${wrong}`), "400 VALIDATION_FAILED", "since")
    }
  })
})
