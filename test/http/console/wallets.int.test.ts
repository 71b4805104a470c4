/** The pages about wallets and their ledgers. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ credits: 3 })
})
afterAll(() => ground.service.stop())

it("shows what each wallet has, holds and has free, and who adds credits", async () => {
  for (const browser of [ground.owner, ground.team]) {
    const page = await browser.ask("/console/wallets")
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain("Identity checks 3 0 3 Ledger of identity checks")
    expect(wordsOf(page)).toContain("The operator of this service adds credits")
  }
  expect(wordsOf(await ground.operator.ask("/console/wallets"))).toContain("wallets credit")
})

it("shows the ledger piece by piece, with markup in a note as text", async () => {
  for (let at = 0; at < 25; at++) {
    await askSettings(ground.service, `/companies/${ground.company.id}/wallets/IDENTITY/credits`, {
      body: { amount: 1 + at, note: at === 0 ? "<script>alert(1)</script>" : `Invoice ${at}` }
    })
  }
  const first = await ground.team.ask("/console/wallets/IDENTITY")
  expect(wordsOf(first)).toContain("Invoice 24")
  expect(wordsOf(first)).not.toContain("Invoice 4 ")
  const next = /href="(\/console\/wallets\/IDENTITY\?cursor=\d+)"/.exec(first.text)?.[1] ?? ""
  const second = await ground.team.ask(next)
  expect(wordsOf(second)).toContain("Invoice 4 ")
  expect(second.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(second.text).not.toContain("Show more")
})

it("says what to do while a ledger is empty, and knows no other wallet and no other company's", async () => {
  const { id } = await makeCompany(ground.service)
  expect(id).not.toBe(ground.company.id)
  const other = await startConsole()
  expect(wordsOf(await other.owner.ask("/console/wallets/IDENTITY"))).toContain("No credit was added or charged yet.")
  expect((await other.owner.ask("/console/wallets/CASH")).status).toBe(404)
  await other.service.stop()
  expect((await ground.nobody.ask("/console/wallets")).location).toBe("/console/sign-in?to=%2Fconsole%2Fwallets")
})

it("adds credits once by one form of the operator, however often it is sent, and others when it is changed and sent again", async () => {
  const { operator, service } = ground
  const company = await makeCompany(service)
  const path = `/console/operator/companies/${company.id}`
  const once = /name="once" value="([^"]+)"/
  const first = await operator.ask(path)
  const sent = { wallet: "APPLICATION", amount: "3", note: "Invoice 2042", once: once.exec(first.text)![1]! }
  const send = (fields: Readonly<Record<string, string>>) => operator.submitAndFollow(path, fields, `${path}/credits`)
  expect((await send(sent)).text).toContain("The wallet now has 3 credits")
  expect((await send(sent)).text).toContain("The wallet now has 3 credits")
  const changed = await operator.submit(path, { ...sent, amount: "4" }, `${path}/credits`)
  expect(changed.status).toBe(422)
  expect(changed.text).toContain("This form has added other credits before. Send it again to add these as well.")
  const again = { ...sent, amount: "4", once: once.exec(changed.text)![1]! }
  expect((await send(again)).text).toContain("The wallet now has 7 credits")
})
