/** `journeys ...` as a process of its own: what a shell and a program see of its end. The commands are tested in their own files. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { commandsScript, run, temporaryFolder } from "../../support/processes.ts"
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
  expect([misused.code, misused.stderr]).toEqual([1, expect.stringContaining("--kind")])
})
