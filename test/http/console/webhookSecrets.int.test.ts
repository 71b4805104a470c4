/** The signing secret of an endpoint on its pages: it is made, shown once, and rolled. */
import { createHmac } from "node:crypto"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeCompany } from "../../support/companies.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { tokenIn, wordsOf, type Seen } from "../app/CustomerBrowser.ts"
import { formIn, signInMember, startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
let receiver: Receiver
let owner: ConsoleBrowser
beforeAll(async () => {
  ground = await startConsole({}, { WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => ground.service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  owner = await signInMember(ground.service, (await makeCompany(ground.service)).id, "OWNER")
})
afterEach(() => receiver.stop())

const page = "/console/webhooks/test"
const secretIn = ({ text }: Seen): string => /id="once"[^>]*>(whsec_[^<]+)</.exec(text)?.[1] ?? ""
/** Whether the last delivery is signed with this secret. */
const signs = (secret: string): boolean => {
  const { body, headers } = receiver.received.at(-1)!
  const signature = String(headers["service-signature"])
  const t = /t=(\d+)/.exec(signature)?.[1]
  return signature.includes(createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex"))
}
const save = async () => {
  const shown = await owner.ask(page)
  return owner.send(page, { token: tokenIn(shown), form: formIn(shown), url: receiver.url, events: "*" })
}

describe("the secret of an endpoint", () => {
  it("is shown once, on the answer that makes it; the URL that is there keeps it", async () => {
    const answer = await save()
    const secret = secretIn(answer)
    expect([answer.status, answer.headers.get("cache-control"), answer.location]).toEqual([200, "no-store", null])
    expect(secret).toMatch(/^whsec_/)
    const again = await save()
    expect([again.status, again.location, secretIn(again)]).toEqual([303, page, ""])
    for (const path of ["/console/webhooks", page, `${page}/deliveries`]) {
      const shown = await owner.ask(path)
      expect([path, shown.status, shown.text.includes(secret)]).toEqual([path, 200, false])
    }
  })

  it("is rolled once, however often the form is sent", async () => {
    const first = secretIn(await save())
    const shown = await owner.ask(page)
    expect(shown.text).toMatch(/<details class="asked-first">\s*<summary[^>]*>Roll the secret<\/summary>\s*<form/)
    const fields = { token: tokenIn(shown), form: formIn(shown), overlapHours: "24" }
    const rolled = await owner.send(`${page}/roll-secret`, fields)
    expect([secretIn(rolled).startsWith("whsec_"), secretIn(rolled) === first]).toEqual([true, false])
    expect((await owner.send(`${page}/roll-secret`, fields)).status).toBe(409)
    expect(wordsOf(await owner.ask(page))).toContain("A secret of before signs as well")
  })

  it("is not ended by a form that does not say for how long it goes on", async () => {
    const first = secretIn(await save())
    const shown = await owner.ask(page)
    const refused = await owner.send(`${page}/roll-secret`, {
      token: tokenIn(shown),
      form: formIn(shown),
      overlapHours: ""
    })
    expect([refused.status, secretIn(refused)]).toEqual([400, ""])
    await owner.submit(page, {}, `${page}/ping`)
    expect(signs(first)).toBe(true)
  })

  it("of a new URL is made once, however often the form is sent: the first answer shows it", async () => {
    const shown = await owner.ask(page)
    const fields = { token: tokenIn(shown), form: formIn(shown), url: receiver.url, events: "*" }
    const first = await owner.send(page, fields)
    expect(secretIn(first)).toMatch(/^whsec_/)
    const again = await owner.send(page, fields)
    expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining("nothing was done a second time")])
  })
})
