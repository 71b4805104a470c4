/** Events become visible in another order than they were written in: a follower must see each of them once all the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { stillService } from "../journeys/oracle.ts"
import type { Service } from "../../../support/service.ts"
import { connect, page, writeEvent, type Connection } from "./ground.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await stillService()
})
afterAll(() => service.stop())

/** Someone who follows in pages of one event, from the first on. */
class Follower {
  readonly seen: Array<string> = []
  after = ""

  /** Reads until a page is empty. */
  async catchUp(): Promise<ReadonlyArray<string>> {
    for (;;) {
      const { ids, next } = await page(service, company.testKey, {
        size: "1",
        ...(this.after && { after: this.after })
      })
      this.after = next
      this.seen.push(...ids)
      if (ids.length === 0) return this.seen
    }
  }

  /** Until so many have been seen: other tests' open transactions may hold the list up for a moment. */
  hasSeen(count: number): Promise<ReadonlyArray<string>> {
    return eventually(
      () => this.catchUp(),
      (seen) => seen.length >= count
    )
  }
}

describe("a follower", () => {
  it("waits for a transaction that began before what has been committed since", async () => {
    company = await makeCompany(service)
    const early = await connect(service.databaseUrl)
    const before = await writeEvent(service.query, company.id)
    await early.query("begin")
    const held = await writeEvent(early.query, company.id)
    const later = await writeEvent(service.query, company.id)
    const follower = new Follower()
    expect(await follower.hasSeen(1)).toEqual([before])
    const { after } = follower
    // What stands behind the open transaction is committed, and is not shown as long as that one can still come first.
    const meanwhile = await page(service, company.testKey, { after })
    expect([meanwhile.ids, meanwhile.next]).toEqual([[], after])
    const latest = (await page(service, company.testKey, { after: "latest" })).next
    await early.query("commit")
    await early.close()
    expect(await follower.hasSeen(3)).toEqual([before, held, later])
    // The end was named while the two were under way: both come after it.
    expect((await page(service, company.testKey, { after: latest })).ids).toEqual([held, later])
  })

  it("is not held up by a transaction that was rolled back", async () => {
    company = await makeCompany(service)
    const failing = await connect(service.databaseUrl)
    await failing.query("begin")
    await writeEvent(failing.query, company.id)
    const later = await writeEvent(service.query, company.id)
    await failing.query("rollback")
    await failing.close()
    expect(await new Follower().hasSeen(1)).toEqual([later])
  })

  it("sees each event of many writers once, whatever order they commit in", async () => {
    company = await makeCompany(service)
    const writers: ReadonlyArray<Connection> = await Promise.all(
      Array.from({ length: 6 }, () => connect(service.databaseUrl))
    )
    const committed = new Set<string>()
    const follower = new Follower()
    // Each round all begin and write, then end from the last to the first, every third one without a trace.
    for (let round = 0; round < 9; round++) {
      const written = [] as Array<string>
      for (const writer of writers) {
        await writer.query("begin")
        written.push(await writeEvent(writer.query, company.id))
      }
      for (const [back, writer] of writers.toReversed().entries()) {
        const isUndone = (round + back) % 3 === 0
        await writer.query(isUndone ? "rollback" : "commit")
        if (!isUndone) committed.add(written[writers.length - 1 - back] ?? "")
        await follower.catchUp()
      }
    }
    const seen = await follower.hasSeen(committed.size)
    await Promise.all(writers.map((writer) => writer.close()))
    expect(seen.length).toBe(36)
    expect(seen.toSorted()).toEqual([...committed].toSorted())
  })
})
