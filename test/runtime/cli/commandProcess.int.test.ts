/** `journeys ...` as a process of its own: what a shell and a program see of its end. The commands are tested in their own files. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { commandsScript, run, startCommand, temporaryFolder } from "../../support/processes.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  service = await startService()
  folder = await temporaryFolder()
})
afterAll(async () => {
  await service.stop()
  await folder.remove()
})

const journeys = (...parameters: ReadonlyArray<string>) =>
  run(process.execPath, [commandsScript, ...parameters], {
    cwd: folder.path,
    environment: { BASE_URL: service.baseUrl, OPERATOR_TOKEN: operatorToken }
  })

it("ends with 0 and nothing but its answer on stdout when it was done", async () => {
  const { code, stderr, stdout } = await journeys("companies", "list", "--json")
  expect([code, stderr, JSON.parse(stdout).content]).toEqual([0, "", []])
})

it("ends with 1 and the reason on stderr when it was refused or misused", async () => {
  const refused = await journeys("companies", "show", "Nobody's Cars")
  expect([refused.code, refused.stdout]).toEqual([1, ""])
  expect(refused.stderr).toMatch(/^journeys: no company has/)
  const misused = await journeys("companies", "create", "--name", "X")
  expect([misused.code, misused.stdout]).toEqual([1, ""])
  // The help of the command, and what was wrong.
  expect(misused.stderr).toMatch(/--admin-email[^]*EXAMPLES[^]*Missing required flag: --kind/)
})

it("ends with 1 when the subcommand is missing, and says so beside the help", async () => {
  const ended = await journeys("operator-tokens")
  expect([ended.code, ended.stdout]).toEqual([1, ""])
  expect(ended.stderr).toMatch(
    /SUBCOMMANDS[^]*\njourneys: give one of the subcommands above: journeys operator-tokens <subcommand>\n$/
  )
  const asked = await journeys("operator-tokens", "--help")
  expect([asked.code, asked.stderr, asked.stdout]).toEqual([0, "", expect.stringContaining("SUBCOMMANDS")])
})

/** The command in a terminal, in which it asks; `script` makes one. The shell's words have no characters of its own. */
const inTerminal = (...parameters: ReadonlyArray<string>) =>
  startCommand("script", ["-qec", [process.execPath, commandsScript, ...parameters].join(" "), "/dev/null"], {
    cwd: folder.path,
    environment: { BASE_URL: service.baseUrl, OPERATOR_TOKEN: operatorToken, TERM: "xterm" }
  })

it("asks a person at a terminal before it erases a customer, and a program does not wait for an answer", async () => {
  const company = await makeCompany(service)
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const erase = ["customers", "erase", company.id, String(data.customerReference)]
  const hasKey = async () => {
    const rows = await service.query("select from customers where id = $1 and wrapped_key is not null", [
      data.customerReference
    ])
    return rows.length === 1
  }

  const refused = inTerminal(...erase)
  await refused.printed(/gone for good/)
  refused.type("n")
  const { code, stdout } = await refused.ended
  expect([code, stdout]).toEqual([1, expect.stringContaining("Nothing was erased")])
  expect(await hasKey()).toBe(true)

  const left = inTerminal(...erase)
  await left.printed(/gone for good/)
  left.type("\u0003")
  expect((await left.ended).code).not.toBe(0)
  expect(await hasKey()).toBe(true)

  const meant = inTerminal(...erase)
  await meant.printed(/gone for good/)
  meant.type("y")
  expect((await meant.ended).code).toBe(0)
  expect(await hasKey()).toBe(false)

  expect((await journeys(...erase)).code).toBe(0)
})
