/** The page of a company's settings: each group's form, what is refused beside its fields, and what the team reads. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings } from "../../support/companies.ts"
import { logoOf } from "../../support/logos.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const path = "/console/company"
const companyNow = async () => (await askSettings(ground.service, `/companies/${ground.company.id}`)).data

describe("an owner", () => {
  it("finds each group of settings from the top of the page", async () => {
    const { text } = await ground.owner.ask(path)
    const [nav = ""] = /<nav aria-label="On this page">.*?<\/nav>/s.exec(text) ?? []
    const targets = [...nav.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id)
    expect(targets).toEqual([...text.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id?.replace("mail-title", "mail")))
    for (const id of targets) expect(text).toContain(`id="${id}"`)
  })

  it("keeps reasons ready for reviewers, one a line, and hears of a line that is no reason", async () => {
    const reasons = {
      form: "reasons",
      approvalReasons: "Same person, good photos",
      rejectionReasons: "Too blurred to read\r\nThe document has expired"
    }
    expect(wordsOf(await ground.owner.submitAndFollow(path, reasons))).toContain(
      "Changed: “When they approve”, “When they reject”"
    )
    expect(await companyNow()).toMatchObject({
      approvalReasons: "Same person, good photos",
      rejectionReasons: "Too blurred to read\nThe document has expired"
    })
    const refused = await ground.owner.submit(path, { ...reasons, rejectionReasons: "Too blurred to read\nNo" })
    expect([refused.status, wordsOf(refused)]).toEqual([
      422,
      expect.stringContaining("Must be a reason of 10 to 500 characters on each line")
    ])
    await ground.owner.submit(path, { form: "reasons", approvalReasons: "", rejectionReasons: "" })
    expect(await companyNow()).toMatchObject({ approvalReasons: null, rejectionReasons: null })
  })

  it("changes the name, and reads what was changed", async () => {
    const saved = await ground.owner.submitAndFollow(path, {
      form: "general",
      name: "<b>Quay</b> Cars",
      adminEmail: "owner@example.com",
      language: "cy"
    })
    expect(wordsOf(saved)).toContain("Changed: “Name”, “Language of pages and mails”")
    expect(saved.text).toContain("&lt;b&gt;Quay&lt;/b&gt; Cars")
    expect(await companyNow()).toMatchObject({ name: "<b>Quay</b> Cars", language: "cy" })
    const same = await ground.owner.submitAndFollow(path, {
      form: "general",
      name: "<b>Quay</b> Cars",
      adminEmail: "owner@example.com",
      language: "cy"
    })
    expect(wordsOf(same)).toContain("Nothing was changed: it was like that already")
  })

  it("reads of an empty name and of a wrong address at once", async () => {
    const refused = await ground.owner.submit(path, {
      form: "general",
      name: "",
      adminEmail: "no address",
      language: "en"
    })
    expect(refused.status).toBe(422)
    expect(wordsOf(refused)).toContain("Name is missing")
    expect(refused.text).toContain('id="general-adminEmail-refused"')
  })

  it.each(["name", "adminEmail"])("reads beside %s alone that it is missing when it is left empty", async (empty) => {
    const before = await companyNow()
    const typed = { name: "Pier Cars", adminEmail: "pier@example.com", language: "en", [empty]: " " }
    const refused = await ground.owner.submit(path, { form: "general", ...typed })
    expect(refused.status).toBe(422)
    expect(refused.text.match(/id="general-\w+-refused">[^<]* is missing/g)).toHaveLength(1)
    expect(refused.text).toContain(`id="general-${empty}-refused"`)
    expect(await companyNow()).toEqual(before)
  })

  it("reads beside each field what is wrong, with what was typed still there, and nothing is changed", async () => {
    const refused = await ground.owner.submit(path, {
      form: "rules",
      identityWindowDays: "91",
      handoverWindowDays: "ten",
      mediaRetentionDays: "30",
      customerRetentionDays: "0",
      declinedRetentionDays: "0",
      applicationRetentionDays: "180",
      assurance: "DOCUMENT"
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="rules-identityWindowDays-refused"')
    expect(refused.text).toContain('id="rules-handoverWindowDays-refused"')
    expect(refused.text).not.toContain('id="rules-mediaRetentionDays-refused"')
    expect(refused.text).toMatch(/aria-describedby="rules-identityWindowDays-hint rules-identityWindowDays-refused"/)
    expect(wordsOf(refused)).toContain("Nothing was changed. Please look at the fields that are marked.")
    expect(refused.text).toContain('value="91"')
    expect((await companyNow()).assurance).toBe("FACE_MATCH")
  })

  it("reads the same of every number of days that cannot be", async () => {
    for (const days of ["0", "1.5", "-1", "91"]) {
      const fields = { identityWindowDays: days, handoverWindowDays: "30", mediaRetentionDays: "30" }
      const refused = await ground.owner.submit(path, { form: "rules", ...fields })
      expect(refused.text).toMatch(/id="rules-identityWindowDays-refused">Must be a whole number from 1 to 90/)
    }
  })

  it("sets a provider and a panel whose secrets no page shows, and takes them away", async () => {
    const secret = "page-canary-0123456789"
    const fields = {
      form: "identity-provider",
      identityProvider: "HTTP",
      "identityProvider.url": "https://id.example/"
    }
    const short = await ground.owner.submit(path, { ...fields, "identityProvider.secret": "short" })
    expect(short.text).toContain('id="identity-provider-identityProvider-secret-refused"')
    expect(short.text).not.toContain('value="short"')
    const set = await ground.owner.submitAndFollow(path, { ...fields, "identityProvider.secret": secret })
    expect(wordsOf(set)).toContain("secret")
    expect(set.text).not.toContain(secret)
    await ground.owner.submit(path, {
      form: "finance-panel",
      "financePanel.name": "PanelOne",
      "financePanel.url": "https://panel.example/",
      "financePanel.secret": secret
    })
    expect(await companyNow()).toMatchObject({
      identityProvider: { kind: "HTTP", url: "https://id.example/" },
      financePanel: { name: "PanelOne" }
    })
    await ground.owner.submit(path, { form: "identity-provider", identityProvider: "BUILT_IN" })
    await ground.owner.submit(path, { form: "finance-panel", "financePanel.name": "" })
    expect(await companyNow()).toMatchObject({ identityProvider: { kind: "BUILT_IN" }, financePanel: null })
  })

  it("refuses an obligatory field that is empty, and a provider's address or secret that nobody would get", async () => {
    const before = await companyNow()
    const nameless = await ground.owner.submit(path, { form: "general", name: " ", adminEmail: "new@example.com" })
    expect(nameless.text).toContain('id="general-name-refused"')
    const lost = { form: "identity-provider", identityProvider: "", "identityProvider.url": "" }
    for (const typed of [{ "identityProvider.secret": "short" }, { "identityProvider.url": "https://id.example/" }]) {
      const refused = await ground.owner.submit(path, { ...lost, ...typed })
      expect(wordsOf(refused)).toContain("Nothing was changed.")
      expect(refused.text).toContain('id="identity-provider-identityProvider-refused"')
    }
    expect(await companyNow()).toEqual(before)
  })

  it("sets colour, telephone and sandbox switches, and sees the colour", async () => {
    const branded = await ground.owner.submitAndFollow(path, {
      form: "brand",
      "brand.colour": "#ffcc00",
      "brand.telephone": "+44 113 496 0000",
      "brand.hours": "Monday to Friday\r\n9 to 17",
      "brand.hoursIn.pl": "Od poniedziałku\r\n9–17",
      "brand.returnUrl": ""
    })
    expect(wordsOf(branded)).toContain("Changed: “Colour”, “Telephone”, “Hours”, “Hours in Polski”")
    expect(branded.text).toMatch(/<rect x="12"[^>]*fill="#[0-9a-f]{6}"/)
    expect((await companyNow()).brand).toMatchObject({
      hours: "Monday to Friday\n9 to 17",
      hoursIn: { pl: "Od poniedziałku\n9–17" }
    })
    expect(branded.text).toMatch(/<textarea[^>]*name="brand.hoursIn.pl"[^>]*>Od poniedziałku\n9–17</)
    const red = await ground.owner.submit(path, { form: "brand", "brand.colour": "red" })
    expect(red.text).toContain('id="brand-brand-colour-refused"')
    expect(wordsOf(red)).toContain("Must be a colour such as #1a56ab")
    expect(wordsOf(red)).not.toContain("brand.colour")
    expect(red.text.match(/<[^>]*autofocus[^>]*>/g)).toEqual([expect.stringContaining('name="brand.colour"')])
    await ground.owner.submit(path, { form: "sandbox", "sandbox.credits": "yes", "sandbox.pace": "manual" })
    expect((await companyNow()).sandbox).toEqual({
      identityConfigured: false,
      panelConfigured: false,
      credits: true,
      pace: "manual"
    })
    await ground.owner.submit(path, { form: "sandbox", "sandbox.identityConfigured": "yes", "sandbox.pace": "" })
    expect((await companyNow()).sandbox).toEqual({ identityConfigured: true, panelConfigured: false, credits: false })
  })

  it("uploads a logo from a file, sees it, and takes it away; what is no image is told beside the field", async () => {
    const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      form.set("token", tokenIn(await ground.owner.ask(path)))
      form.set("brand.logo", new Blob([bytes]), "logo.png")
      return ground.owner.send(`${path}/logo`, form)
    }
    const none = await upload(new Uint8Array())
    expect([none.status, wordsOf(none).includes("Choose a file first")]).toEqual([422, true])
    const wrong = await upload(new TextEncoder().encode("no image"))
    expect([wrong.status, wrong.text.includes('id="logo-brand-logo-refused"')]).toEqual([422, true])
    const large = await upload(new Uint8Array(300 * 1024))
    expect(wordsOf(large)).toContain("Must be an image of at most 256 KB")
    const saved = await upload(new Uint8Array(logoOf(320, 96)))
    expect([saved.status, saved.location]).toEqual([303, path])
    const shown = await ground.owner.ask(path)
    const digest = (await companyNow()).brand.logo.digest
    expect(shown.text).toContain(`/app/logo/${digest}`)
    await ground.owner.submit(path, { form: "logo" })
    expect((await companyNow()).brand.logo).toBeNull()
    const forged = new FormData()
    forged.set("brand.logo", new Blob([new Uint8Array([1])]), "logo.png")
    expect((await ground.owner.send(`${path}/logo`, forged)).status).toBe(403)
  })

  it("sends no form that the page does not have, and none without its token", async () => {
    expect((await ground.owner.submit(path, { form: "active", active: "no" })).status).toBe(400)
    expect((await ground.owner.send(path, { form: "general", name: "Forged" })).status).toBe(403)
    expect((await companyNow()).name).not.toBe("Forged")
  })
})

describe("somebody of the team", () => {
  it("reads the settings, has no form, and changes nothing", async () => {
    const page = await ground.team.ask(path)
    expect(wordsOf(page)).toContain("An owner of the company can change this.")
    expect(wordsOf(page)).toMatch(/Completes a check without a person [A-Z][a-z]/)
    expect(page.text).not.toContain('action="/console/company"')
    const refused = await ground.team.send(path, { token: tokenIn(page), form: "general", name: "Theirs" })
    expect([refused.status, wordsOf(refused).includes("Your role does not permit this")]).toEqual([403, true])
    expect((await companyNow()).name).not.toBe("Theirs")
  })
})
