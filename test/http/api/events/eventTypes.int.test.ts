/** The events API asked for several types and for groups. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { prepareGround, refuses, type Ground } from "../journeys/oracle.ts"
import { get, idsOf, writeEvent } from "./ground.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const queryOf = (types: ReadonlyArray<string>): string => `?${types.map((type) => `type=${type}`).join("&")}`

it("gives the events of any of several types, and those of a group", async () => {
  const { id, testKey } = await makeCompany(ground.service)
  const types = ["journey.created", "identity.requested", "ping", "identity.verified"] as const
  const ids: Array<string> = []
  for (const type of types) ids.push(await writeEvent(ground.service.query, id, { type }))
  const listed = async (...asked: ReadonlyArray<string>) =>
    idsOf(await get(ground.service, testKey, queryOf(asked))).map((one) => ids.indexOf(one))
  await eventually(
    () => listed("identity.verified"),
    (found) => found.length === 1
  )
  expect(await listed("identity.verified", "journey.created")).toEqual([0, 3])
  expect(await listed("identity.*")).toEqual([1, 3])
  expect(await listed("journey.*", "identity.verified", "identity.*", "identity.*")).toEqual([0, 1, 3])
})

it.each([
  ["an unknown one among others", ["journey.created", "nothing"]],
  ["a list in one value", ["journey.created,identity.*"]],
  ["everything", ["*"]],
  ["more than ten", Array<string>(11).fill("ping")]
])("refuses %s", async (_, types) => {
  const asked = () => get(ground.service, ground.dealer.testKey, queryOf(types))
  await refuses(ground, asked, "400 VALIDATION_FAILED", "type")
})

it("names the refused one of several", async () => {
  const { errors } = await get(ground.service, ground.dealer.testKey, queryOf(["journey.created", "nothing"]))
  expect(errors).toHaveLength(1)
  expect(errors[0]?.message).toMatch(/; it is "nothing"$/)
})
