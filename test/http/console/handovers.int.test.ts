/** The pages on which a dealer's people see the handovers that brokers have named their company for. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { sayAsCustomer } from "../../support/consents.ts"
import { keepAddress } from "../api/settings/caseGround.ts"
import { makeBroker, namedHandover } from "../api/settings/handoverGround.ts"
import { signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
let broker: TestCompany
beforeAll(async () => {
  ground = await startConsole({ name: "Riverbank Cars" })
  broker = await makeBroker(ground.service)
})
afterAll(() => ground.service.stop())

const path = "/console/handovers"

const audit = async (of: TestCompany) =>
  (await askSettings(ground.service, `/companies/${of.id}/audit?size=100`)).data.content

describe("the page of handovers", () => {
  it("says what it is for while there is nothing on it: to a dealer with the id to give to brokers, and to a broker", async () => {
    const { service } = ground
    const dealer = await makeCompany(service, { name: "Empty Cars" })
    const empty = await (await signInMember(service, dealer.id, "TEAM", "empty@people.example")).ask(path)
    expect(empty.status).toBe(200)
    expect(empty.text).toContain("nothing to hand over for a broker yet")
    expect(empty.text).toContain(dealer.id)
    const ofBroker = await (await signInMember(service, broker.id, "OWNER", "broker@people.example")).ask(path)
    expect(ofBroker.text).toContain("This page is for dealers")
  })

  it("lists vehicle, customer, broker and what each waits for, and leads on to the older ones", async () => {
    const { service, team } = ground
    const { id } = await namedHandover(service, broker, ground.company.id, (body) => {
      body.vehicle.registration = "GO70 CAR"
      Object.assign(body.customer, { firstName: "Ann", lastName: "Listed" })
    })
    const page = await team.ask(path)
    expect(page.text).toContain(`href="${path}/${id}"`)
    for (const words of [
      "GO70 CAR",
      "Ann Listed",
      "Broad Brokers",
      "The customer records the handover video",
      ">Created</th>"
    ]) {
      expect(page.text).toContain(words)
    }
    const older = await team.ask(`${path}?after=${id}`)
    expect([older.status, older.text]).toEqual([200, expect.stringContaining("no older handovers")])
    expect((await team.ask(`${path}?after=elsewhere`)).status).toBe(400)
  })

  it("shows those that are to be handed over, or those that are over, and keeps to them in the older ones", async () => {
    const { service } = ground
    const dealer = await makeCompany(service, { name: "Busy Cars" })
    const team = await signInMember(service, dealer.id, "TEAM", "busy@people.example")
    expect((await team.ask(`${path}?standing=OPEN`)).text).toContain("Nothing is to be handed over now.")
    const named = async (registration: string) =>
      (await namedHandover(service, broker, dealer.id, (body) => void (body.vehicle.registration = registration))).id
    const [over, open] = [await named("OV70 ERR"), await named("OP70 ENN")]
    const cancelled = await ask(service, broker.liveKey, `/api/v1/journeys/${over}/cancel`, {
      body: { reason: "Customer changed their mind" }
    })
    expect(cancelled.status).toBe(200)
    const shown = async (query: string) => {
      const { text } = await team.ask(`${path}${query}`)
      return ["OV70 ERR", "OP70 ENN"].filter((registration) => text.includes(registration))
    }
    expect(await shown("?standing=OPEN")).toEqual(["OP70 ENN"])
    expect(await shown("?standing=OVER")).toEqual(["OV70 ERR"])
    expect(await shown("")).toEqual(["OV70 ERR", "OP70 ENN"])
    expect(await shown(`?standing=OVER&after=${open}`)).toEqual(["OV70 ERR"])
    expect((await team.ask(`${path}?standing=SOON`)).status).toBe(400)
    const piece = await askSettings(service, `/companies/${dealer.id}/handovers?standing=OPEN&size=1`)
    expect(piece.data).toMatchObject({ content: [{ journeyId: open }], next: null })
  })
})

describe("the search of handovers", () => {
  it("finds by registration, email, broker and journey, keeps what was searched for out of addresses, and writes the look down", async () => {
    const { service } = ground
    const dealer = await makeCompany(service, { name: "Searching Cars" })
    const team = await signInMember(service, dealer.id, "TEAM", "searching@people.example")
    const other = await makeBroker(service, "Other Brokers")
    const named = async (of: TestCompany, registration: string, email: string) =>
      (
        await namedHandover(service, of, dealer.id, (body) => {
          body.vehicle.registration = registration
          body.customer.email = email
        })
      ).id
    const first = await named(broker, "FI70 RST", "first.handover@example.com")
    const second = await named(other, "SE70 OND", "second.handover@example.com")
    const all = [first, second]
    const found = async (search: string) => {
      const page = await team.submit(path, { search })
      expect([page.status, page.location]).toEqual([200, null])
      return all.filter((id) => page.text.includes(`${path}/${id}`))
    }
    expect(await found("fi70rst")).toEqual([first])
    expect(await found(" SECOND.handover@example.com ")).toEqual([second])
    expect(await found("other br")).toEqual([second])
    expect(await found(first)).toEqual([first])
    expect(await found("handover")).toEqual([])
    expect(await found("%")).toEqual([])
    // The list was looked at first, for its form. The same piece again is the same look.
    const looks = (await audit(dealer)).filter(
      ({ action }: { readonly action: string }) => action === "handovers.listed"
    )
    expect(looks).toMatchObject([
      { details: { names: 1, newest: second } },
      { details: { names: 1, newest: first } },
      { details: { names: 2 } }
    ])
    expect(JSON.stringify(await audit(dealer))).not.toContain("FI70")
    expect((await team.submit(path, { search: " " })).status).toBe(422)
  })

  it("finds nothing of another dealer, and nothing of a customer who was erased", async () => {
    const { service } = ground
    const dealer = await makeCompany(service, { name: "Erasing Cars" })
    const team = await signInMember(service, dealer.id, "TEAM", "erasing@people.example")
    const { customerReference, id } = await namedHandover(service, broker, dealer.id, (body) => {
      body.vehicle.registration = "ER70 ASE"
      body.customer.email = "erased.handover@example.com"
    })
    const found = async (of: typeof team, search: string) =>
      (await of.submit(path, { search })).text.includes(`${path}/${id}`)
    expect([await found(team, "ER70 ASE"), await found(ground.team, "ER70 ASE")]).toEqual([true, false])
    expect(await found(ground.team, id)).toBe(false)
    const erased = await askSettings(service, `/companies/${broker.id}/customers/${customerReference}`, {
      method: "DELETE"
    })
    expect(erased.status).toBe(200)
    expect([await found(team, "ER70 ASE"), await found(team, "erased.handover@example.com")]).toEqual([false, false])
  })
})

describe("the page of one handover", () => {
  it("shows the whole handover, says who decides, and writes down who looked in both audit logs", async () => {
    const { company, service, team } = ground
    const { id } = await namedHandover(service, broker, company.id, (body) => {
      Object.assign(body.customer, { firstName: "Ann", lastName: "<b>Buyer</b>", mobile: "+44 7700 900101" })
      Object.assign(body.customer, { dateOfBirth: "1980-01-06" })
      body.delivery = { type: "HOME_DELIVERY", notes: "Ring twice.\n<script>alert(1)</script>" }
      body.finance = { panelName: "kept-panel", panelReference: "kept-7", lender: "kept-lender" }
    })
    await keepAddress(service, id, { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" })
    await sayAsCustomer(service, id, { _tag: "LocationConfirmed" })
    await sayAsCustomer(service, id, { _tag: "ConsentRefused", step: "video", notice: "video-1-en" })
    const page = await team.ask(`${path}/${id}`)
    expect(page.status).toBe(200)
    for (const words of [
      "Ann &lt;b&gt;Buyer&lt;/b&gt;",
      'href="tel:+447700900101"',
      "14 Alder Way",
      "Ring twice.",
      "&lt;script&gt;",
      "Broad Brokers",
      "cannot decide it",
      "Waits for the broker&#39;s team",
      "The customer confirmed the address"
    ]) {
      expect(page.text).toContain(words)
    }
    expect(page.text).not.toMatch(/kept|1980|<b>|<script>alert/)
    const [mine] = await audit(company)
    expect(mine).toMatchObject({ action: "handover.opened", actor: expect.stringMatching(/^member:/) })
    expect((await audit(broker))[0]).toMatchObject({
      action: "handover.opened_by_dealer",
      actor: mine.actor,
      details: { journeyId: id, dealerCompanyId: company.id }
    })
  })

  it("is not there for another dealer's people, as for an id that nobody has", async () => {
    const { company, owner, service } = ground
    const other = await makeCompany(service, { name: "Elsewhere Cars" })
    const stranger = await signInMember(service, other.id, "OWNER", "stranger@people.example")
    const { id } = await namedHandover(service, broker, company.id)
    const before = await audit(broker)
    const nobodys = randomUUID()
    const [strange, unknown] = [await stranger.ask(`${path}/${id}`), await stranger.ask(`${path}/${nobodys}`)]
    // The address of the sign-in names the page that was asked for.
    expect([strange.status, strange.text]).toEqual([404, unknown.text.replaceAll(nobodys, id)])
    expect(await audit(broker)).toEqual(before)
    for (const spelling of [id, `${id}/`, id.toUpperCase()]) {
      expect([spelling, (await owner.ask(`${path}/${spelling}`)).status]).toEqual([spelling, 200])
    }
  })
})
