/** The cookies of the console over https: names, attributes, and that no other name counts. */
import { describe, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember } from "../../support/members.ts"
import { startService } from "../../support/service.ts"
import { tokenIn } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser } from "./consoleGround.ts"

const signInPath = "/console/sign-in"

describe("the cookies of the console over https", () => {
  it("have names that only this host can set, are out of reach of scripts and other sites, and are the only ones that count", async () => {
    const secure = await startService({ BASE_URL: "https://journeys.example" })
    try {
      const { id } = await makeCompany(secure)
      const email = "owner@harbour.example"
      await addMember(secure, id, { email, role: "OWNER" })
      const origin = { origin: "https://journeys.example" }
      const member = new ConsoleBrowser(secure, null)
      const asked = await member.ask(signInPath)
      await member.send(signInPath, { token: tokenIn(asked), email }, origin)
      const [mail] = await eventually(
        async () => (await askSettings(secure, `/mail?to=${email}`)).data.content,
        (found) => found.length === 1
      )
      const [, link = ""] = /https:\/\/journeys\.example(\/console\/sign-in\/\S+)/.exec(mail.text) ?? []
      const page = await member.ask(link)
      const answer = await member.send(link, { token: tokenIn(page) }, origin)
      expect([answer.status, answer.location]).toEqual([303, "/console"])
      // The way back to a page is no secret, and has a path of its own.
      const lines = [asked, page, answer]
        .flatMap(({ headers }) => headers.getSetCookie())
        .filter((line) => !line.startsWith("journeys-console-to="))
      expect(lines.some((line) => /^__Host-journeys-console=[\w-]{43}; /.test(line))).toBe(true)
      for (const line of lines) {
        expect(line).toMatch(/^__Host-journeys-console/)
        for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(line).toContain(part)
        expect(line).not.toContain("Domain")
      }
      const team = await member.ask("/console/team")
      expect(team.status).toBe(200)
      const invitation = { token: tokenIn(team), email: "tom@harbour.example", role: "TEAM" }
      const invited = await member.send("/console/team", invitation, origin)
      const said = invited.headers.getSetCookie()
      expect(said).toEqual([expect.stringMatching(/^__Host-journeys-console-said=[\w-]+; /)])
      for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/;"]) expect(`${said[0]};`).toContain(part)
      const once = await member.ask("/console/team")
      expect(once.text).toContain('class="flash"')
      expect(once.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-journeys-console-said=; /)])
      expect((await member.ask("/console/team")).text).not.toContain('class="flash"')
      member.cookies.set("journeys-console-said", Buffer.from("Somebody else wrote this").toString("base64url"))
      expect((await member.ask("/console/team")).text).not.toContain("Somebody else wrote this")
      const secret = member.cookies.get("__Host-journeys-console") ?? ""
      expect((await new ConsoleBrowser(secure, secret).ask("/console/team")).location).toContain(signInPath)
    } finally {
      await secure.stop()
    }
  })
})
