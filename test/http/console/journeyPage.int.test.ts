/** The page of a journey: what it shows, whose it is, and the team's own steps on it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { addCustomerSession } from "../../support/addCustomerSession.ts"
import { ask, makeCompany } from "../../support/companies.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { journeyAt, unavailableJourney } from "../api/settings/reviewGround.ts"
import { signInMember, type ConsoleGround } from "./consoleGround.ts"
import { startJourneyConsole } from "./journeyGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startJourneyConsole()
})
afterAll(() => ground.service.stop())

const journey = (shape: Parameters<typeof journeyAt>[2], event: string | null = null) =>
  journeyAt(ground.service, ground.company, shape, event)
const pathOf = ({ id }: { readonly id: string }) => `/console/journeys/${id}`

describe("the form that corrects a customer's data", () => {
  it("takes what was typed and leaves the rest, shows what was refused beside its field, and never what is on file", async () => {
    const one = await journey("CASH_SALE")
    const path = `${pathOf(one)}/correct`
    expect((await ground.team.ask(pathOf(one))).text).toContain(`href="${path}"`)
    const form = await ground.team.ask(path)
    expect(form.status).toBe(200)
    expect(form.text).not.toMatch(/07700|@example/)
    const refused = await ground.team.submit(path, { email: "nobody", mobile: "07700 900456" }, path)
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/aria-invalid="true"[^>]*/)
    expect(refused.text).toContain('value="07700 900456"')
    const done = await ground.team.submitAndFollow(path, { mobile: "07700 900456", firstName: " " }, path)
    expect(wordsOf(done)).toContain("The customer&#39;s data was corrected.")
    const same = await ground.team.submitAndFollow(path, {}, path)
    expect(wordsOf(same)).toContain("Nothing was corrected")
  })
})

describe("the pages that cancel a journey, correct or erase its customer, or lead to its case file", () => {
  it("name the customer, and the look is in the audit log as that at the journey's page is", async () => {
    const one = await journey("CASH_SALE")
    const looks = () => ground.service.query("select action from audit where details ->> 'journeyId' = $1", [one.id])
    const pages = ["correct", "cancel-handover", "erase", "case"]
    for (const page of pages) {
      const shown = await ground.owner.ask(`${pathOf(one)}/${page}`)
      expect([shown.status, wordsOf(shown)]).toEqual([200, expect.stringContaining("Customer: Grace Adeyemi ")])
    }
    // One line for the looks of one person within a short time.
    expect(await looks()).toEqual([{ action: "journey.opened" }])
  })
})

describe("a step that is refused", () => {
  it("leads back to the page that its button stands on, and nowhere else", async () => {
    const path = pathOf(await journey("CASH_SALE"))
    const { baseUrl } = ground.service
    // The journey asks for no check to be sent again.
    const refused = (referer: string) =>
      ground.team
        .ask(path)
        .then((page) => ground.team.send(`${path}/resend-check`, { token: tokenIn(page) }, { referer }))
    const here = await refused(`${baseUrl}${path}`)
    expect(here.status).toBe(409)
    expect(here.text).toContain(`<a href="${path}">Back to the page</a>`)
    expect((await refused("https://other.example/console")).text).not.toContain("other.example")
  })
})

describe("the page of a journey", () => {
  it("shows the steps with their states, what is awaited, the calls, and what happened", async () => {
    const one = await journey("FINANCE_ALREADY_SUBMITTED", "identity.under_review")
    const page = await ground.team.ask(pathOf(one))
    expect(page.status).toBe(200)
    const words = wordsOf(page)
    for (const text of [
      "Customer Priya Nair",
      "Vehicle AB12 CDE",
      "Finance Now submitted",
      "Identity check Now under review",
      "Handover video To come",
      "The lender's decision Who must act: The system that started the journey",
      "A review of the identity check Who must act: Your team",
      "Open the review",
      "POST /api/v1/journeys",
      "CUSTOMER_FACE_NOT_USED",
      "The identity check needs a person Sandbox",
      "Why: The document and the selfie perhaps show two people FACES_UNCLEAR",
      "Test journey: finance, identity and handover",
      "Taken now Call Request Body",
      "reason : 10 to 500 characters, kept for the team and never sent in an event",
      "decision : APPROVED , DECLINED , REFERRED",
      "Refused now Call Answer Why Replace the customer's photo CUSTOMER_FACE_NOT_USED",
      "Event identity.under_review"
    ]) {
      expect(words).toContain(text.replaceAll("'", "&#39;"))
    }
    expect(page.text).toContain('aria-current="step"')
    // Name and registration are in no title, which the history of a browser keeps.
    expect(page.text).toMatch(/<h1>\s*<bdi>AB12 CDE<\/bdi>/)
    expect(page.text).not.toMatch(/<title>[^<]*(?:AB12|Nair)/)
    expect(page.text).toMatch(/<time datetime="[^"]+">\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC<\/time>/)
    expect(page.text).not.toMatch(/ style="|<script>|onclick/)
  })

  it("says of a journey that has ended that nothing is awaited and nothing can be done", async () => {
    const words = wordsOf(await ground.team.ask(pathOf(await journey("IDENTITY_DELIVERY", "delivery.completed"))))
    expect(words).toContain("Nothing: the journey has ended.")
    expect(words).toContain("What you can do Nothing now.")
  })

  it("leads to the case file, the deliveries and the review", async () => {
    const one = await journey("CASH_SALE", "identity.under_review")
    const { text } = await ground.team.ask(pathOf(one))
    expect(text).toContain(`href="/console/journeys/${one.id}/case"`)
    expect(text).toContain(`href="/console/webhooks/test/deliveries?journeyId=${one.id}"`)
    expect(text).toMatch(/href="\/console\/reviews\/[0-9a-f-]{36}"/)
  })

  it("shows the timeline in both orders, and more of it, without a script", async () => {
    const one = await journey("IDENTITY_DELIVERY", "delivery.completed")
    await ground.service.query(
      `insert into journal (journey_id, version, message_id, sender, message, at)
       select $1, v, gen_random_uuid(), 'timer', '{"_tag":"SandboxHeld"}', now() from generate_series(20, 160) v`,
      [one.id]
    )
    const versions = async (query: string) =>
      [...(await ground.team.ask(`${pathOf(one)}${query}`)).text.matchAll(/id="line-(\d+)"/g)].map(([, v]) => Number(v))
    const newest = await versions("")
    expect([newest.length, newest[0]]).toEqual([25, 160])
    expect((await versions("?order=OLDEST_FIRST"))[0]).toBe(1)
    expect((await versions("?lines=50")).length).toBe(50)
    const { text } = await ground.team.ask(`${pathOf(one)}?lines=100`)
    const older = /href="[^"?]*(\?[^"#]*page=1[^"#]*)#timeline"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    expect((await versions(older))[0]).toBe(60)
    expect((await versions("?lines=100000&page=x&upTo=-1&order=up")).length).toBe(100)
  })

  it("is found by its own company alone, as if it did not exist", async () => {
    const one = await journey("IDENTITY_DELIVERY")
    const other = await makeCompany(ground.service)
    const stranger = await signInMember(ground.service, other.id, "OWNER", "stranger@people.example")
    const unknown = "/console/journeys/01890000-0000-7000-8000-000000000000"
    // The address of the sign-in names the page, too.
    const named = (text: string) =>
      text.replaceAll(unknown, pathOf(one)).replaceAll(encodeURIComponent(unknown), encodeURIComponent(pathOf(one)))
    for (const page of ["", "/part", "/live", "/cancel", "/cancel-handover"]) {
      const [foreign, missing] = [await stranger.ask(`${pathOf(one)}${page}`), await stranger.ask(`${unknown}${page}`)]
      expect([page, foreign.status, foreign.text]).toEqual([page, 404, named(missing.text)])
    }
    for (const step of ["resend-check", "resend-link", "end-session", "cancel", "cancel-handover", "simulate"]) {
      expect((await stranger.submit("/console", {}, `${pathOf(one)}/${step}`)).status).toBe(404)
    }
    expect((await ground.team.ask("/console/journeys/no-id")).status).toBe(404)
    expect((await ground.nobody.ask(pathOf(one))).location).toContain("/console/sign-in?to=")
  })

  it("shows what a caller wrote as text", async () => {
    const marked = '<img src=x onerror="alert(1)"> שלום'
    const one = await journey("CASH_SALE")
    await ask(ground.service, ground.company.testKey, `/api/v1/journeys/${one.id}/cancel`, { body: { reason: marked } })
    const { text } = await ground.team.ask(pathOf(one))
    expect(text).not.toContain("<img src=x")
    expect(text).toContain("<bdi>&lt;img src=x")
  })
})

describe("the team's own steps", () => {
  it("mail a new link, and say so", async () => {
    const one = await journey("IDENTITY_DELIVERY")
    const page = await ground.team.submitAndFollow(pathOf(one), {}, `${pathOf(one)}/resend-link`)
    expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining("A new link was mailed")])
    expect(
      await ground.service.query("select from audit where action = 'journey.link_resent' and actor like 'member:%'")
    ).toHaveLength(1)
  })

  it("end the customer's session", async () => {
    const one = await journey("IDENTITY_DELIVERY")
    expect(wordsOf(await ground.team.ask(pathOf(one)))).not.toContain("The customer is signed in")
    const customerSessionId = await addCustomerSession(ground.service, one.id)
    expect(wordsOf(await ground.team.ask(pathOf(one)))).toContain("The customer is signed in")
    const page = await ground.team.submitAndFollow(pathOf(one), { customerSessionId }, `${pathOf(one)}/end-session`)
    expect(wordsOf(page)).toContain("The customer&#39;s session was ended.")
    expect(wordsOf(page)).not.toContain("The customer is signed in")
  })

  it("resend a check that could not be started", async () => {
    const one = await unavailableJourney(ground.service, ground.company)
    expect(wordsOf(await ground.team.ask(pathOf(one)))).toContain("Resend the identity check")
    const page = await ground.team.submitAndFollow(pathOf(one), {}, `${pathOf(one)}/resend-check`)
    expect(wordsOf(page)).toContain("Identity check Now requested")
  })

  it("cancel a journey that has no handover yet, and must say why", async () => {
    const one = await journey("IDENTITY_DELIVERY")
    const before = await ground.team.ask(pathOf(one))
    expect(before.text).toContain(`href="${pathOf(one)}/cancel"`)
    expect(before.text).not.toContain(`href="${pathOf(one)}/cancel-handover"`)
    const cancel = `${pathOf(one)}/cancel`
    for (const reason of ["", "too short"]) {
      const refused = await ground.team.submit(cancel, { reason })
      expect([refused.status, refused.text.includes('id="cancel-reason-refused"')]).toEqual([422, true])
      expect(refused.text).toContain(`${reason}</textarea>`)
    }
    expect(wordsOf(await ground.team.ask(cancel))).toMatch(
      /TEST Journey [A-Z0-9 ]+, external reference \S+ Customer: \S.* The journey ends/
    )
    const page = await ground.team.submitAndFollow(cancel, { reason: "The customer buys no car at all" })
    expect(wordsOf(page)).toContain("The journey was cancelled.")
    expect(wordsOf(page)).toContain("The customer buys no car at all")
    expect(page.text).not.toContain(`href="${cancel}"`)
    expect((await ground.team.submit(cancel, { reason: "The customer buys no car at all" })).status).toBe(409)
  })

  it("cancel a handover after asking once more", async () => {
    const one = await journey("CASH_SALE")
    const cancel = `${pathOf(one)}/cancel-handover`
    const before = await ground.team.ask(pathOf(one))
    expect(before.text).toContain(`href="${cancel}"`)
    expect(before.text).not.toContain(`href="${pathOf(one)}/cancel"`)
    expect((await ground.team.submit(cancel, { reason: "too short" })).status).toBe(422)
    const page = await ground.team.submitAndFollow(cancel, { reason: "The vehicle was damaged on its way" })
    expect(wordsOf(page)).toContain("The vehicle was damaged on its way")
    expect(wordsOf(page)).toContain("The handover was cancelled")
    expect(wordsOf(page)).toContain("End Ended early cancelled")
  })

  it("force an outcome of a test journey, and offer only what can be forced now", async () => {
    const one = await journey("CASH_SALE")
    const before = await ground.team.ask(pathOf(one))
    expect(before.text).toContain('<option value="identity.under_review">')
    expect(before.text).not.toContain('<option value="finance_enquiry.approved">')
    const page = await ground.team.submitAndFollow(
      pathOf(one),
      { event: "identity.under_review" },
      `${pathOf(one)}/simulate`
    )
    expect(wordsOf(page)).toContain("Forced: identity.under_review.")
    expect(wordsOf(page)).toContain("Open the review")
    const ended = await ground.team.submitAndFollow(
      pathOf(one),
      { event: "delivery.completed" },
      `${pathOf(one)}/simulate`
    )
    expect(wordsOf(ended)).not.toContain("Force an outcome")
    expect((await ground.team.send(`${pathOf(one)}/simulate`, { event: "identity.verified" })).status).toBe(403)
  })

  it("are refused with a reason when they mean nothing now, and when the form is not ours", async () => {
    const one = await journey("IDENTITY_DELIVERY")
    const refused = await ground.team.submit(pathOf(one), {}, `${pathOf(one)}/resend-check`)
    expect([refused.status, wordsOf(refused)]).toEqual([409, expect.stringContaining("This is not possible now")])
    expect((await ground.team.send(`${pathOf(one)}/resend-link`, { token: "x" })).status).toBe(403)
  })
})
