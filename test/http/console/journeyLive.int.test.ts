/** The stream of a journey's page: what it tells, to whom, for how long, and how many there may be. */
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { ConsoleSessions } from "../../../src/actors/members/ConsoleSessions.ts"
import { CompanyId } from "../../../src/schema/ids.ts"
import { JourneyWatch } from "../../../src/http/console/journeys/JourneyWatch.ts"
import { consoleLimits } from "../../../src/http/console/frame/limits.ts"
import { eventually } from "../../support/eventually.ts"
import { journeyAt, simulate } from "../api/settings/reviewGround.ts"
import { makeCompany } from "../../support/companies.ts"
import { addMember, openSession } from "../../support/members.ts"
import { ConsoleBrowser, signInMember, signInOperator, type ConsoleGround } from "./consoleGround.ts"
import { changesIn, openStream, startJourneyConsole, type LiveStream } from "./journeyGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startJourneyConsole()
})
afterAll(() => ground.service.stop())

const opened: Array<LiveStream> = []
const openPages = () => ground.service.run(Effect.map(JourneyWatch, (watch) => watch.openPages()))
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await eventually(openPages, (open) => open === 0)
})

const open = async (browser: ConsoleBrowser, journeyId: string, lastEventId?: string) => {
  const stream = await openStream(ground.service.baseUrl, browser, journeyId, lastEventId)
  opened.push(stream)
  return stream
}

const journey = (event: string | null = null) => journeyAt(ground.service, ground.company, "IDENTITY_DELIVERY", event)
const move = (id: string, event: string) => simulate(ground.service, ground.company, id, event)
/** A whole event, so that its mark has come, too. */
const changed = "event: journey-changed\ndata: \n\n"

/** The mark of a journey changes no more by itself: the mails that can leave have left. */
const settled = async (id: string): Promise<string> => {
  await eventually(
    () =>
      ground.service.query("select from mails where journey_id = $1 and kind = 'WELCOME' and due_at is not null", [id]),
    (waiting) => waiting.length === 0
  )
  return id
}

describe("the stream of a journey's page", () => {
  it("is a stream of events that nothing between keeps back, and tells each change without telling what it is", async () => {
    const { id } = await journey()
    const stream = await open(ground.team, id)
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    expect(stream.headers.get("cache-control")).toBe("no-store, no-transform")
    expect(stream.headers.get("x-accel-buffering")).toBe("no")
    expect(stream.headers.get("content-encoding")).toBe(null)
    expect(await stream.until("This page updates itself.")).not.toBe(null)
    await stream.until(changed)
    await move(id, "identity.failed")
    const all = (await stream.until(changed, 2)) ?? ""
    expect(new Set(changesIn(all)).size).toBe(changesIn(all).length)
    expect(all).not.toMatch(/identity|delivery|COMPLETED|person/)
  })

  it("tells a page that connects anew only what it has missed", async () => {
    const id = await settled((await journey()).id)
    const before = await open(ground.team, id)
    const [mark = ""] = changesIn((await before.until(changed)) ?? "")
    before.close()
    const again = await open(ground.team, id, mark)
    expect(changesIn((await again.until(": still there")) ?? "")).toEqual([])
    await move(id, "identity.failed")
    const [next] = changesIn((await again.until(changed)) ?? "")
    expect(next).not.toBe(mark)
  })

  it("ends with its session, which hears nothing more", async () => {
    const id = await settled((await journey()).id)
    const member = await signInMember(ground.service, ground.company.id, "TEAM", "leaving@people.example")
    const stream = await open(member, id)
    await stream.until(changed)
    await member.submit("/console", {}, "/console/sign-out")
    await move(id, "identity.failed")
    const all = await stream.end()
    expect(changesIn(all)).toHaveLength(1)
    expect(all).toContain("nobody is signed in")
    expect(all.endsWith("event: live-end\ndata: \n\n")).toBe(true)
  })

  it("ends when its member works for another company, and hears nothing more", async () => {
    const id = await settled((await journey()).id)
    const other = await makeCompany(ground.service)
    const member = await signInMember(ground.service, ground.company.id, "TEAM", "both@people.example")
    await addMember(ground.service, other.id, { email: "both@people.example", role: "TEAM" })
    const stream = await open(member, id)
    await stream.until(changed)
    await member.submit("/console/companies", { company: other.id })
    await move(id, "identity.failed")
    const all = await stream.end()
    expect(changesIn(all)).toHaveLength(1)
    expect(all).toContain("another company")
    expect(all.endsWith("event: live-end\ndata: \n\n")).toBe(true)
    // A page that asks all the same is told no more than that there is no such journey.
    expect((await open(member, id)).status).toBe(404)
  })

  it("ends when the operator looks at another company, or at none", async () => {
    const id = await settled((await journey()).id)
    const other = await makeCompany(ground.service)
    for (const elsewhere of [CompanyId.make(other.id), null]) {
      const operator = await signInOperator(ground.service, ground.company.id)
      const stream = await open(operator, id)
      await stream.until(changed)
      const secret = operator.cookies.get("journeys-console") ?? ""
      await ground.service.run(Effect.flatMap(ConsoleSessions, ({ choose }) => choose(secret, elsewhere)))
      expect(await stream.end()).toContain("another company")
    }
  })

  it("ends when its member is removed, also when nothing happens to the journey", async () => {
    const id = await settled((await journey()).id)
    const memberId = await addMember(ground.service, ground.company.id, { email: "gone@people.example", role: "TEAM" })
    const stream = await open(new ConsoleBrowser(ground.service, await openSession(ground.service, memberId)), id)
    await stream.until(changed)
    await ground.service.query("delete from members where id = $1", [memberId])
    const all = await stream.end()
    expect(all).toContain("nobody is signed in")
    expect(all.endsWith("event: live-end\ndata: \n\n")).toBe(true)
  })

  it("is not for whoever is not signed in", async () => {
    const { id } = await journey()
    const stream = await open(ground.nobody, id)
    expect([stream.status, stream.headers.get("hx-redirect")]).toEqual([
      401,
      expect.stringContaining("/console/sign-in")
    ])
  })

  it("is one of a few in a session, and says so when there are too many", async () => {
    const { id } = await journey()
    for (let count = 0; count < consoleLimits.livePagesOfSession; count += 1) {
      expect(await (await open(ground.team, id)).until("updates itself")).not.toBe(null)
    }
    const tooMany = await open(ground.team, id)
    expect(await tooMany.end()).toBe(
      "data: This page does not update itself: too many pages of journeys are open.\n\nevent: live-end\ndata: \n\n"
    )
    expect(await (await open(ground.owner, id)).until("updates itself")).not.toBe(null)
    expect(await openPages()).toBe(consoleLimits.livePagesOfSession + 1)
  })

  it("is let go when its page is closed", async () => {
    const { id } = await journey()
    const stream = await open(ground.team, id)
    await stream.until("updates itself")
    expect(await openPages()).toBe(1)
    stream.close()
    expect(await eventually(openPages, (count) => count === 0)).toBe(0)
  })
})
