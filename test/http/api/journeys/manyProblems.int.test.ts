/** How many problems an answer lists, of a body that is wrong in more places than anybody reads. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { start } from "../../../support/requests.ts"
import { prepareGround, type Ground } from "./oracle.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround({ credits: 0 })
})
afterAll(() => ground.service.stop())

const startWithUnlisted = async (count: number) => {
  const unlisted = Object.fromEntries(Array.from({ length: count }, (_, at) => [`unlisted${at}`, at]))
  const body = { ...startBody("IDENTITY_DELIVERY"), ...unlisted }
  const { errors, json, status } = await start(ground.service, ground.dealer.testKey, body)
  return { status, listed: errors.length, message: (json as { message: string }).message }
}

it.each([
  [33, "20 of 33 problems are listed"],
  [1500, "20 of 200 or more problems are listed"]
])("with %d problems it lists the first twenty, and says how many there are", async (count, words) => {
  const { listed, message, status } = await startWithUnlisted(count)
  expect([status, listed]).toEqual([400, 20])
  expect(message).toMatch(new RegExp(` \\(${words}\\)$`))
})

it("with twenty problems it lists them all, without a count", async () => {
  const { listed, message } = await startWithUnlisted(20)
  expect(listed).toBe(20)
  expect(message).not.toContain("problems are listed")
})
