import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { commandsScript, run, temporaryFolder } from "../../support/processes.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

let service: Service
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  service = await startService({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
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

it("shows the runners, what is open, and the endpoints that fail", async () => {
  const [runners, work, endpoints] = await Promise.all([
    journeys("installation", "runners"),
    journeys("installation", "work"),
    journeys("installation", "endpoints")
  ])
  expect(runners.stdout).toMatch(/^nodes +ONE\n[^]*ADDRESS +HEALTHY +SINCE +SHARDS\n- +true +20\S+ +300\n$/)
  expect(work.stdout).toMatch(/setAsideJourneys +0\n[^]*MAILS\nwaiting +\d+\noldestDue +/)
  expect(endpoints.stdout).toBe("None.\n")
})

it("lists journeys that were set aside, page by page, and retries one", async () => {
  const company = await makeCompany(service, { name: "Quay Cars" })
  const ids: Array<string> = []
  for (let at = 0; at < 2; at++) ids.push((await start(service, company.testKey, startBody("CASH_SALE"))).data.id)
  await service.query("update journeys set set_aside_at = now(), set_aside_reason = 'FAILED'")
  const first = await journeys("installation", "set-aside", "--size", "1")
  expect(first.stdout).toMatch(
    /^JOURNEY +COMPANY +MODE +SINCE +REASON\n\S+ +Quay Cars +TEST +\S+ +FAILED\nMore with --cursor \S+\n$/
  )
  const cursor = /--cursor (\S+)/.exec(first.stdout)?.[1] ?? ""
  const second = await journeys("installation", "set-aside", "--cursor", cursor)
  expect(ids.filter((id) => (first.stdout + second.stdout).includes(id))).toHaveLength(2)
  const [id = ""] = ids
  expect((await journeys("installation", "retry", id)).stdout).toContain(id)
  const again = await journeys("installation", "retry", id)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("CONFLICT journey")])
})

it("finds companies by the beginning of their name", async () => {
  await makeCompany(service, { name: "Zebra Cars" })
  const found = await journeys("companies", "list", "--search", "zEb")
  expect(found.stdout).toMatch(/^ID +NAME +KIND +ACTIVE +CREATED\n\S+ +Zebra Cars +DEALER +true +\S+\n$/)
})
