/** Going on by telephone: the QR codes of the link's page and of the journey's page, and looking again without use. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { qrTextIn } from "../../support/qrCodes.ts"
import { ask, startBody } from "../../support/companies.ts"
import type { Service } from "../../support/service.ts"
import { linkPath } from "../../../src/actors/customer/appPaths.ts"
import { CustomerBrowser, newLink, telephoneLink, tokenIn, wordsOf, type Seen } from "./CustomerBrowser.ts"
import { signedIn, startCashSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service
/** A service that does not know its own address. */
let unknown: PagesGround

beforeAll(async () => {
  ground = await startPages({ BASE_URL: "http://127.0.0.1:1" })
  service = ground.service
  unknown = await startPages()
})
afterAll(async () => {
  await service?.stop()
  await unknown?.service.stop()
})

const path = "/app/telephone"

/** Somebody who is signed in and asked for the identity check. */
const atJourney = async () => {
  const journeyId = await startCashSale(ground)
  const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  const token = tokenIn(await customer.ask("/app/journey"))
  return { journeyId, customer, askForCode: (): Promise<Seen> => customer.send(path, { token }) }
}

/** The path of the link in a code. */
const linkIn = ({ text }: Seen): string => new URL(qrTextIn(text)).pathname

const linksOf = (journeyId: string) =>
  service.query<{ used: boolean; minutes: number }>(
    `select used_at is not null as used, extract(epoch from expires_at - issued_at)::int / 60 as minutes
    from sign_in_links where journey_id = $1 order by issued_at`,
    [journeyId]
  )

describe("the page behind a mailed link", () => {
  it("shows the link itself as a QR code, and issues none", async () => {
    const journeyId = await startCashSale(ground)
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const page = await new CustomerBrowser(service).ask(link)
    expect(qrTextIn(page.text)).toBe(`http://127.0.0.1:1${link}`)
    expect((await linksOf(journeyId)).filter(({ minutes }) => minutes === 10)).toEqual([])
    expect(await new CustomerBrowser(service).signIn(linkIn(page))).toMatchObject({ status: 303 })
  })

  it("shows none where the service does not know its own address", async () => {
    const link = await newLink(unknown.service, await startCashSale(unknown), "VERIFY_IDENTITY")
    expect((await new CustomerBrowser(unknown.service).ask(link)).text).not.toContain("<svg")
  })
})

describe("the journey's page", () => {
  it("offers a new link as a QR code that signs a telephone in once, and leaves this session alone", async () => {
    const { askForCode, customer, journeyId } = await atJourney()
    expect((await customer.ask("/app/journey")).text).toContain(`action="${path}"`)
    const page = await askForCode()
    expect(page.status).toBe(200)
    expect(page.headers.get("cache-control")).toBe("no-store")
    const telephone = new CustomerBrowser(service)
    expect(await telephone.signIn(linkIn(page))).toMatchObject({ status: 303, location: "/app/journey" })
    expect(wordsOf(await telephone.ask("/app/journey"))).toContain("Verify your identity")
    expect((await new CustomerBrowser(service).signIn(linkIn(page))).status).toBe(404)
    expect((await customer.ask("/app/journey")).status).toBe(200)
    // There may be two mailed links: that of the service's own mail, at any moment, and the one that the test asked for.
    const links = await linksOf(journeyId)
    expect(links.filter(({ minutes }) => minutes === 10)).toEqual([{ used: true, minutes: 10 }])
    const mailed = links.filter(({ minutes }) => minutes !== 10)
    expect(mailed).toContainEqual({ used: true, minutes: 72 * 60 })
    expect(mailed.every(({ minutes }) => minutes === 72 * 60)).toBe(true)
  })

  it("ends the older links of the step with a new code, and no link of another step", async () => {
    const { askForCode, journeyId } = await atJourney()
    const mailed = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const other = await newLink(service, journeyId, "RECORD_VIDEO")
    const first = linkIn(await askForCode())
    const second = linkIn(await askForCode())
    const statusOf = async (link: string): Promise<number> => (await new CustomerBrowser(service).ask(link)).status
    expect(await Promise.all([mailed, first, second, other].map(statusOf))).toEqual([404, 404, 200, 200])
  })

  it("makes codes for its own form alone, and so many in an hour", async () => {
    const { askForCode, customer, journeyId } = await atJourney()
    expect((await customer.send(path, { token: "x" })).status).toBe(403)
    expect((await linksOf(journeyId)).filter(({ minutes }) => minutes === 10)).toEqual([])
    const statuses: Array<number> = []
    for (let codes = 0; codes < 11; codes += 1) statuses.push((await askForCode()).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(await linksOf(journeyId)).toHaveLength(10)
    expect(wordsOf(await askForCode())).toContain("Back to your purchase")
    await service.query("update sign_in_links set issued_at = issued_at - interval '1 hour' where journey_id = $1", [
      journeyId
    ])
    expect((await askForCode()).status).toBe(200)
  })

  it("makes no code for a step that the journey is not at", async () => {
    const { journeyId } = await atJourney()
    expect(await telephoneLink(service, journeyId, "RECORD_VIDEO")).toBe(linkPath("none"))
    expect(await telephoneLink(service, journeyId, "VERIFY_IDENTITY")).not.toBe(linkPath("none"))
  })

  it("makes a code that is open for its minutes by the journey's test clock", async () => {
    const { testKey } = ground.company
    const clocks = "/api/v1/sandbox/clocks"
    const startsAt = new Date(Date.now() + 20 * 86_400_000).toISOString()
    const clock = (await ask(service, testKey, clocks, { body: { startsAt } })).data
    const body = startBody("CASH_SALE")
    body.customer.email = "ann+never@example.com"
    const headers = { "idempotency-key": "telephone-on-a-clock", "sandbox-clock": clock.id }
    const begun = await ask(service, testKey, "/api/v1/journeys", { headers, body })
    expect(begun.status).toBe(202)
    const link = await telephoneLink(service, begun.data.id, "VERIFY_IDENTITY")
    const statusOf = async () => (await new CustomerBrowser(service).ask(link)).status
    expect(await statusOf()).toBe(200)
    await ask(service, testKey, `${clocks}/${clock.id}/advance`, { body: { by: "PT11M" } })
    expect(await statusOf()).toBe(404)
  })

  it("offers none where the service does not know its own address", async () => {
    const customer = await signedIn(unknown, await startCashSale(unknown), "VERIFY_IDENTITY")
    const page = await customer.ask("/app/journey")
    expect(page.text).not.toContain(path)
    expect(await customer.send(path, { token: tokenIn(page) })).toMatchObject({ status: 303 })
  })
})

describe("a look at the journey's page", () => {
  it("is answered with nothing while nothing has changed, and with the page when something has", async () => {
    const { customer, journeyId } = await atJourney()
    const first = await customer.ask("/app/journey")
    const seen = { "if-none-match": first.headers.get("etag") ?? "" }
    const same = await customer.ask("/app/journey", { headers: seen })
    expect([same.status, same.text]).toEqual([304, ""])
    await service.query(
      "update journeys set state = jsonb_set(state::jsonb, '{identity,status}', '\"FAILED\"') where id = $1",
      [journeyId]
    )
    const changed = await customer.ask("/app/journey", { headers: seen })
    expect(changed.status).toBe(200)
    expect(changed.headers.get("etag")).not.toBe(first.headers.get("etag"))
  })

  it("by the page's script does not keep a session alive; a visit does", async () => {
    const { customer, journeyId } = await atJourney()
    const idleFor = async (minutes: number) => {
      await service.query(
        "update customer_sessions set seen_at = seen_at - make_interval(mins => $2) where journey_id = $1",
        [journeyId, minutes]
      )
    }
    await idleFor(20)
    expect((await customer.ask("/app/journey", { headers: { "x-look": "1" } })).status).toBe(200)
    await idleFor(20)
    expect((await customer.ask("/app/journey", { headers: { "x-look": "1" } })).status).toBe(401)
    const other = await atJourney()
    const back = "update customer_sessions set seen_at = seen_at - interval '20 minutes' where journey_id = $1"
    await service.query(back, [other.journeyId])
    expect((await other.customer.ask("/app/journey")).status).toBe(200)
    await service.query(back, [other.journeyId])
    expect((await other.customer.ask("/app/journey")).status).toBe(200)
  })
})
