/** The page by which an owner erases the customer of a journey. What an erasure removes: `test/runtime/work/erasure` and its neighbours. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import type { ConsoleGround } from "./consoleGround.ts"
import { startJourneyConsole } from "./journeyGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startJourneyConsole()
})
afterAll(() => ground.service.stop())

const started = async () => {
  const { data } = await start(ground.service, ground.company.testKey, startBody("CASH_SALE"))
  return { id: data.id as string, path: `/console/journeys/${data.id}`, customer: data.customerReference as string }
}

it("is offered to an owner, says what goes and what stays, and erases nothing before its box is ticked", async () => {
  const { customer, path } = await started()
  expect((await ground.owner.ask(path)).text).toContain(`href="${path}/erase"`)
  const page = await ground.owner.ask(`${path}/erase`)
  for (const words of ["There is no way back.", "are cancelled", "They hold no personal data"]) {
    expect(wordsOf(page)).toContain(words)
  }
  const unmeant = await ground.owner.submit(`${path}/erase`, {})
  expect([unmeant.status, wordsOf(unmeant).includes("Tick this if the customer is to be erased")]).toEqual([422, true])
  const proof = await askSettings(ground.service, `/companies/${ground.company.id}/customers/${customer}/erasure-proof`)
  expect([proof.status, proof.errors?.[0]?.code]).toEqual([404, "NOT_FOUND"])
})

it("erases the customer and cancels what runs, and then has the proof as a file", async () => {
  const { customer, id, path } = await started()
  const answered = await ground.owner.submit(`${path}/erase`, { isMeant: "yes" })
  expect([answered.status, answered.location]).toEqual([303, `${path}/erase`])
  await eventually(
    () => ground.owner.ask(`${path}/erase`),
    (page) => wordsOf(page).includes("The customer was erased")
  )
  const journey = await askSettings(ground.service, `/companies/${ground.company.id}/journeys/${id}`)
  expect(journey.data.journey.status).toBe("CANCELLED")
  const proof = await ground.owner.ask(`${path}/erase/proof`)
  expect(proof.headers.get("content-disposition")).toBe(`attachment; filename="erasure-${customer}.json"`)
  expect(JSON.parse(proof.text).statement).toMatchObject({
    customerReference: customer,
    journeys: expect.arrayContaining([id])
  })
  // A page that was open in another tab erases nobody twice.
  const again = await ground.owner.submit(path, { isMeant: "yes" }, `${path}/erase`)
  expect(again.status).toBe(303)
})

it("is neither offered to nor done for the team", async () => {
  const { path } = await started()
  expect((await ground.team.ask(path)).text).not.toContain("/erase")
  expect((await ground.team.ask(`${path}/erase`)).status).toBe(403)
  const sent = await ground.team.submit(path, { isMeant: "yes" }, `${path}/erase`)
  expect(sent.status).toBe(403)
  expect((await ground.owner.ask(`${path}/erase`)).text).toContain("There is no way back.")
})
