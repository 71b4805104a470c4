/** Lists of two companies, while every place for lists is taken: who comes first when places are given back. */
import { Context, Duration, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { CurrentListPlaces, SharingOfLists } from "../../../src/http/server/admission/ListPlaces.ts"
import type { FairQueue } from "../../../src/actors/kernel/FairQueue.ts"
import { startServiceOn } from "../../kit/runningService.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, operatorToken, type Service } from "../../support/service.ts"

const { listsAtOnce, mostListsWaitingOfOne } = httpLimits

let service: Service
let places: FairQueue
let busy: TestCompany
let other: TestCompany

beforeAll(async () => {
  // A slow machine may take seconds to have all lists waiting: none of them is sent away meanwhile.
  const longestWait = Duration.minutes(1)
  const given = Context.make(SharingOfLists, { ...SharingOfLists.defaultValue(), longestWait })
  service = await startServiceOn(await freshDatabase(), {}, given)
  places = await service.run(CurrentListPlaces)
  busy = await makeCompany(service)
  other = await makeCompany(service)
})
afterAll(() => service.stop())

const list = (key: string) => ask(service, key, "/api/v1/journeys")

const waiting = (count: number) => eventually(places.waiting, (now) => now === count)

const waitingAsMeasured = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text()
  return Number(/^journeys_lists_waiting (\d+)$/m.exec(text)?.[1])
}

/** Takes every place, so that each list waits for its turn. */
const takeAllPlaces = () => service.run(Effect.repeat(places.take, { times: listsAtOnce - 1 }))

const giveBack = (count: number) => service.run(Effect.repeat(places.release, { times: count - 1 }))

/** Takes a place in the turn of a company, and keeps it. */
const takeInTurnOf = ({ id }: TestCompany, livemode: boolean) =>
  service.run(Effect.provideService(places.take, CurrentWorkFor, { companyId: id, livemode, who: "" }))

describe("lists of one company", () => {
  it("leave their turn to another company's list, and live lists go before test lists", async () => {
    await takeAllPlaces()
    const many = 12
    const ofBusy = Array.from({ length: many }, () => list(busy.testKey))
    await waiting(many)
    const testOfOther = list(other.testKey)
    await waiting(many + 1)
    const turnAfterTest = takeInTurnOf(other, false)
    await waiting(many + 2)
    const liveOfOther = list(other.liveKey)
    await waiting(many + 3)
    const turnAfterLive = takeInTurnOf(other, true)
    await waiting(many + 4)
    expect(await waitingAsMeasured()).toBe(many + 4)

    // One place goes round. Whoever keeps it stops all others, so what has had its turn by then is certain.
    await giveBack(1)
    await turnAfterLive
    expect((await liveOfOther).status).toBe(200)
    expect(places.waiting()).toBe(many + 2)

    await giveBack(1)
    await turnAfterTest
    expect((await testOfOther).status).toBe(200)
    expect(places.waiting()).toBe(many - 2)

    await giveBack(listsAtOnce)
    for (const { status } of await Promise.all(ofBusy)) expect(status).toBe(200)
  })

  it("are refused beyond what one company may have waiting, and another company's are not", async () => {
    await takeAllPlaces()
    const asked = Array.from({ length: mostListsWaitingOfOne }, () => list(busy.testKey))
    await waiting(mostListsWaitingOfOne)
    const refused = await list(busy.testKey)
    expect([refused.status, refused.errors?.[0]?.code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
    asked.push(list(other.testKey))
    await waiting(mostListsWaitingOfOne + 1)
    await giveBack(listsAtOnce)
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  })

  it("keep no place from looks at a case, which are no lists", async () => {
    await takeAllPlaces()
    const unknown = `/companies/${busy.id}/journeys/01900000-0000-7000-8000-000000000000/case`
    for (const path of ["", "/video", "/video/frames/1"]) {
      expect((await askSettings(service, `${unknown}${path}?reason=review`)).status).toBe(404)
    }
    await giveBack(listsAtOnce)
  })
})
