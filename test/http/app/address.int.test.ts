/** The delivery address over HTTP without a script: chosen, typed, doubted, corrected, and kept sealed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import type { Service } from "../../support/service.ts"
import { tokenIn, wordsOf, type CustomerBrowser, type Seen } from "./CustomerBrowser.ts"
import { journeyOf, signedIn, startFinanceSale, startPages, startVerified, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
})
afterAll(() => service?.stop())

const path = "/app/address"

/** Somebody who is asked where the vehicle goes, with these addresses on file. */
const atAddressPage = async (history: ReadonlyArray<object> | null = null) => {
  const journeyId =
    history === null ? await startFinanceSale(ground, "HOME_DELIVERY") : await startVerified(ground, history)
  const customer = await signedIn(ground, journeyId, "CONFIRM_ADDRESS")
  const page = await customer.ask(path)
  const send = (fields: Readonly<Record<string, string>>): Promise<Seen> =>
    customer.send(path, { token: tokenIn(page), ...fields })
  const status = async (): Promise<string> => (await journeyOf(ground, journeyId)).delivery.status
  return { journeyId, customer, page, send, status }
}

const history = startExamples.FINANCE_SUBMIT_VIA_MIRA.finance.addressHistory
const [present = {}] = history
const inLeeds = { buildingNumber: "9", street: "Mill Lane", city: "Leeds", postcode: "LS2 8AA" }

const confirmed = { status: 303, location: "/app/journey" }

/** What the page asks to be sent again when the address is meant. */
const hiddenIn = ({ text }: Seen): Readonly<Record<string, string>> => {
  const form = text.slice(0, text.indexOf("<details>"))
  const inputs = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value]))
}

const changesOf = (journeyId: string) =>
  service.query<{ actor: string }>(
    "select actor from audit where action = 'journey.address_changed' and details ->> 'journeyId' = $1",
    [journeyId]
  )

const eventsOf = (journeyId: string) => service.query("select id from events where journey_id = $1", [journeyId])

describe("the delivery address", () => {
  it("is asked for where none is on file, refused field by field, and kept sealed", async () => {
    const { customer, journeyId, page, send, status } = await atAddressPage()
    expect(wordsOf(page)).toContain("We have no address on file")
    const wrong = await send({ street: " ", city: "Leeds", postcode: "x1".repeat(11) })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/aria-invalid="true" aria-describedby="street-error"/)
    expect(wordsOf(wrong)).toContain("Please look at 3 fields again")
    expect(wordsOf(wrong)).toContain("Error: Street is required")
    expect(wordsOf(wrong)).toContain("Error: Postcode must be at most 20 characters")
    expect(wordsOf(wrong)).toContain("Error: Give a house number, or the name of the house or building")
    expect(wrong.text).toContain('value="Leeds"')
    expect(await send({ ...inLeeds, street: "CANARY Street" })).toMatchObject(confirmed)
    expect(await status()).toBe("AWAITING_VIDEO")
    const stored = await service.query<{ row: string }>(
      "select row_to_json(a)::text as row from delivery_addresses a union all select state::text from journeys union all select message::text from journal union all select details::text from audit"
    )
    expect(stored.map(({ row }) => row).join("\n")).not.toContain("CANARY")
    expect(await customer.ask("/app/journey")).toMatchObject({ status: 200 })
    expect(await service.query("select from delivery_addresses where journey_id = $1", [journeyId])).toHaveLength(1)
    expect(await changesOf(journeyId)).toEqual([])
  })

  it("is refused without the page's token, whoever is signed in", async () => {
    const { customer, status } = await atAddressPage()
    const other = await atAddressPage()
    expect((await customer.send(path, inLeeds)).status).toBe(403)
    expect((await customer.send(path, { ...inLeeds, token: tokenIn(other.page) })).status).toBe(403)
    expect(await status()).toBe("AWAITING_LOCATION")
  })
})

describe("another address than those on file", () => {
  it.each([
    ["one, as a no to the question about it", [present], "No, another address"],
    ["several, as one more choice", history, "Another address"]
  ])("is offered beside %s", async (_, onFile, words) => {
    const { page } = await atAddressPage(onFile)
    expect(page.text).toContain(`<summary>${words}</summary>`)
  })
})

describe("a choice of language on the page", () => {
  it.each([
    ["no address on file", null, /(?!)/],
    ["one address on file", [present], /<details\s+open>/],
    ["several addresses on file", history, /<details\s+open>/]
  ])("keeps what was typed, with %s, and confirms nothing", async (_, onFile, isOpen) => {
    const { customer, page, send, status } = await atAddressPage(onFile)
    // The button belongs to the form that is typed in, so that a browser without scripts sends both.
    expect(page.text).toMatch(
      /name="language"\s+value="pl"[^>]* form="address" formaction="\/app\/address" formnovalidate/
    )
    expect(page.text).toContain('id="address"')
    const chosen = await send({ street: "CANARY Lane", city: "", postcode: "x", language: "pl" })
    expect(chosen.status).toBe(200)
    expect(chosen.text).toContain('<html lang="pl-PL"')
    expect(chosen.text).toContain('value="CANARY Lane"')
    if (onFile !== null) expect(chosen.text).toMatch(isOpen)
    expect(chosen.text).not.toContain("aria-invalid")
    expect([...customer.cookies.values()].join()).not.toContain("CANARY")
    expect(await customer.ask("/app/journey").then(({ text }) => text)).toContain('<html lang="pl-PL"')
    expect(await status()).toBe("AWAITING_LOCATION")
    await send({ language: "en" })
  })

  it("leaves the page as it was where nothing was typed", async () => {
    const { page, send } = await atAddressPage([present])
    const shown = Object.fromEntries(
      [...page.text.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value])
    )
    const { back: _back, choice: _choice, ...fields } = shown
    expect((await send({ ...fields, language: "en" })).text).toMatch(/<details\s*>/)
  })
})

describe("addresses on file", () => {
  it("one is confirmed with one button", async () => {
    const { page, send, status } = await atAddressPage([present])
    expect(wordsOf(page)).toContain("14 Station Approach Leeds West Yorkshire LS1 4DY")
    expect(await send(hiddenIn(page))).toMatchObject(confirmed)
    expect(await status()).toBe("AWAITING_VIDEO")
  })

  it("several are offered, the present one first, and any of them is confirmed", async () => {
    const { customer, page, send, status } = await atAddressPage(history.toReversed())
    expect(wordsOf(page)).toMatch(/Station Approach, Leeds.*Riverside House, Canal Wharf, Bradford/)
    expect(page.text).toMatch(/value="0"\s+checked/)
    expect(await send({ choice: "1" })).toMatchObject(confirmed)
    expect(await status()).toBe("AWAITING_VIDEO")
    expect(wordsOf(await customer.ask("/app/journey"))).toContain("Riverside House Canal Wharf Bradford BD1 5RT")
  })

  it("one without a house number or name is asked for it", async () => {
    const { send, status } = await atAddressPage([{ ...present, buildingNumber: undefined }])
    const asked = await send({ choice: "0" })
    expect(asked.status).toBe(422)
    expect(asked.text).toContain('value="Station Approach"')
    expect(wordsOf(asked)).toContain("Give a house number")
    expect(await status()).toBe("AWAITING_LOCATION")
  })

  it.each(["7", "-1", "x", "99999999999"])("none is chosen by the number %s", async (choice) => {
    const { send, status } = await atAddressPage([present])
    expect((await send({ choice })).status).toBe(422)
    expect(await status()).toBe("AWAITING_LOCATION")
  })
})

describe("an unlikely address", () => {
  it("is told, and taken once the customer means it", async () => {
    const { send, status } = await atAddressPage([present])
    const asked = await send({ ...inLeeds, street: "PO Box 7", postcode: "M1 1AE" })
    expect(asked.status).toBe(422)
    expect(wordsOf(asked)).toContain("another area than every address we have on file")
    expect(wordsOf(asked)).toContain("This looks like a PO box")
    expect(await status()).toBe("AWAITING_LOCATION")
    expect(await send(hiddenIn(asked))).toMatchObject(confirmed)
    expect(await status()).toBe("AWAITING_VIDEO")
  })

  it("is told again when the customer was asked about another doubt only", async () => {
    const { send, status } = await atAddressPage([present])
    expect((await send({ ...inLeeds, postcode: "M1 1AE", meant: "PO_BOX" })).status).toBe(422)
    expect(await status()).toBe("AWAITING_LOCATION")
  })
})

/** Somebody who has confirmed an address and is asked for the video. */
const atVideo = async () => {
  const at = await atAddressPage([present])
  expect(await at.send({ choice: "0" })).toMatchObject(confirmed)
  const token = tokenIn(await at.customer.ask("/app/journey"))
  return { ...at, correct: (fields: Readonly<Record<string, string>>) => at.customer.send(path, { token, ...fields }) }
}

const shownTo = async (customer: CustomerBrowser): Promise<string> => wordsOf(await customer.ask("/app/journey"))

describe("a confirmed address", () => {
  it("stands on the journey's page and is corrected until the video is sent, with a line in the audit log", async () => {
    const { correct, customer, journeyId, status } = await atVideo()
    expect(await shownTo(customer)).toContain("14 Station Approach")
    expect((await customer.ask("/app/journey")).text).toContain(`href="${path}"`)
    const page = await customer.ask(path)
    expect(wordsOf(page)).toContain("You can change the address until you send the handover video")
    const before = await eventsOf(journeyId)
    expect(await correct(inLeeds)).toMatchObject(confirmed)
    expect(await shownTo(customer)).toContain("9 Mill Lane Leeds LS2 8AA")
    expect(await eventsOf(journeyId)).toEqual(before)
    expect(await status()).toBe("AWAITING_VIDEO")
    expect(await changesOf(journeyId)).toEqual([{ actor: "customer" }])
    // The same address again changes nothing.
    expect(await correct({ ...inLeeds, postcode: "ls28aa" })).toMatchObject(confirmed)
    expect(await changesOf(journeyId)).toHaveLength(1)
  })

  it("is final once the video is sent", async () => {
    const { correct, customer, journeyId } = await atVideo()
    await service.query("update journeys set step = null where id = $1", [journeyId])
    expect(await correct(inLeeds)).toMatchObject(confirmed)
    expect(await shownTo(customer)).toContain("14 Station Approach")
    expect(await changesOf(journeyId)).toEqual([])
  })

  it("is no part of a handover in a store", async () => {
    const customer = await signedIn(ground, await startFinanceSale(ground, "IN_STORE"), "RECORD_VIDEO")
    expect(await customer.ask(path)).toMatchObject(confirmed)
    const token = tokenIn(await customer.ask("/app/video"))
    expect(await customer.send(path, { token, ...inLeeds })).toMatchObject(confirmed)
    expect(
      await service.query(
        "select from delivery_addresses a join journeys j on j.id = a.journey_id where j.state ->> 'handoverType' = 'IN_STORE'"
      )
    ).toEqual([])
  })
})
