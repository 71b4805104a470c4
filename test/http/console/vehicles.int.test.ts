/** The page about the stock of vehicles. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings } from "../../support/companies.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const path = "/console/vehicles"

it("says what the stock is for while it is empty; a form adds a vehicle, and a button changes its status", async () => {
  expect(wordsOf(await ground.team.ask(path))).toContain("The stock is empty.")
  const added = await ground.team.submitAndFollow(path, { vehicleId: " <b>stock</b> 1 ", status: "IN_STOCK" })
  expect(wordsOf(added)).toContain("The vehicle is in stock now")
  expect(added.text).toContain("&lt;b&gt;stock&lt;/b&gt; 1")
  const sold = await ground.owner.submitAndFollow(path, { vehicleId: "<b>stock</b> 1", status: "SOLD" })
  expect(wordsOf(sold)).toContain("The vehicle is sold now")
  expect(wordsOf(await ground.owner.ask(path))).not.toContain("The vehicle is sold now")
  const audit = await askSettings(ground.service, `/companies/${ground.company.id}/audit?action=vehicle.saved`)
  expect(audit.data.content.map(({ actor }: { readonly actor: string }) => actor)).toEqual([
    expect.stringMatching(/^member:/),
    expect.stringMatching(/^member:/)
  ])
})

it("shows beside its field what is wrong, and keeps what was typed", async () => {
  const refused = await ground.team.submit(path, { vehicleId: "x".repeat(101), status: "SOLD" })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/aria-describedby="add-vehicleId-hint add-vehicleId-refused"\s+aria-invalid="true"/)
  expect(wordsOf(refused)).toContain("Must be at most 100 characters")
  expect(refused.text).toContain(`value="${"x".repeat(101)}"`)
  expect(refused.text).toMatch(/value="SOLD"\s+selected/)
})

it("searches by the beginning of the id and by status, and goes on below", async () => {
  for (let at = 10; at < 35; at++) {
    await askSettings(ground.service, `/companies/${ground.company.id}/vehicles/fleet-${at}`, {
      method: "PUT",
      body: { status: "IN_STOCK" }
    })
  }
  const found = await ground.team.ask(`${path}?search=FLEET-1&status=`)
  expect(wordsOf(found)).toContain("fleet-19 In stock")
  expect(wordsOf(found)).not.toContain("fleet-20")
  const none = await ground.team.ask(`${path}?search=fleet&status=SOLD`)
  expect(wordsOf(none)).toContain("No vehicle is like that.")
  const first = await ground.team.ask(`${path}?search=fleet&status=IN_STOCK`)
  const next = /href="(\/console\/vehicles\?[^"]*cursor=[^"]+)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const second = wordsOf(await ground.team.ask(next))
  expect(second).toContain("fleet-34 In stock")
  expect(second).not.toContain("fleet-29")
})

it("changes nothing without the form's token, or from another site", async () => {
  expect((await ground.owner.send(path, { vehicleId: "forged", status: "SOLD" })).status).toBe(403)
  const fields = { vehicleId: "forged", status: "SOLD" }
  expect((await ground.owner.send(path, fields, { origin: "https://evil.example" })).status).toBe(403)
  const page = await ground.team.ask(`${path}?search=forged`)
  expect(wordsOf(page)).toContain("No vehicle is like that.")
})
