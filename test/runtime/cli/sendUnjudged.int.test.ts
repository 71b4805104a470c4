/** What a person has typed is sent as it is: the service judges it, and what no address can carry is not sent. */
import { beforeAll, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../../support/companies.ts"
import { useCommands } from "./commandGround.ts"

const ground = useCommands()
let company: TestCompany
beforeAll(async () => {
  company = await makeCompany(ground.service)
})

it("prints every problem that the service finds with words and numbers that the contract does not have", async () => {
  const events = ["--event", "no.such_event", "--event", "identity.*", "--event", ""]
  const refused = await ground.journeys("webhooks", "set", company.id, "test", "not a URL", ...events)
  expect([refused.code, refused.stdout]).toEqual([1, ""])
  expect(refused.stderr).toMatch(
    /^journeys: the service refused \(400\)\n(?: {2}VALIDATION_FAILED (?:url|events\[0\]|events\[2\]): .*\n){3} {2}Request-Id [0-9a-f-]{36}\n$/
  )
  const paged = await ground.journeys("companies", "list", "--page", "-1", "--size", "5000")
  expect(paged.stderr).toMatch(/\(400\)\n {2}VALIDATION_FAILED page: .*\n {2}VALIDATION_FAILED size: .*\n/)
})

it("asks for an id with the characters of an address as for any other", async () => {
  const vehicle = "50% off/new?a=b#c d&é"
  await ground.journeys("vehicles", "set", company.id, vehicle, "IN_STOCK")
  const listed = await ground.json("vehicles", "list", company.id)
  expect(listed.content.map((one: { readonly id: string }) => one.id)).toEqual([vehicle])
})

it.each(["", ".", ".."])('refuses the id "%s", which would make an address of something else', async (id) => {
  const refused = await ground.journeys("keys", "show", company.id, id)
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    1,
    "",
    `journeys: "${id}" cannot be the name or id of anything\n`
  ])
})

it("a check of the audit log from a noted line names the company of the line", async () => {
  const hash = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"
  const refused = await ground.journeys("audit", "verify", "--number", "1", "--hash", hash)
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    1,
    "",
    "journeys: --number and --hash are of one company's line: name the company\n"
  ])
})

it("the help of a key's change does not say that a key without --scope may do everything", async () => {
  const [made, changed] = [
    await ground.journeys("keys", "create", "--help"),
    await ground.journeys("keys", "update", "--help")
  ]
  expect(made.stdout).toContain("a new key without it may do everything")
  expect(changed.stdout).not.toContain("leave it out for all")
})
