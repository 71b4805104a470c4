import { expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { useCommands } from "./commandGround.ts"

const ground = useCommands({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
const { journeys } = ground

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
  const company = await makeCompany(ground.service, { name: "Quay Cars" })
  const ids: Array<string> = []
  for (let at = 0; at < 2; at++)
    ids.push((await start(ground.service, company.testKey, startBody("CASH_SALE"))).data.id)
  await ground.service.query("update journeys set set_aside_at = now(), set_aside_reason = 'FAILED'")
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

it("shows the encryption keys and what stands under them as tables", async () => {
  const { stdout } = await journeys("encryption", "status")
  expect(stdout).toMatch(
    /^KEYS\nKEY +USE +VALUES +HAS SEALED +MAY BE RETIRED\n([0-9a-f]+) +SEALS +\d+ +true +false\n\nCONTENT\nWHAT +KEY +VALUES\n[^{}]+\1 +\d+\n[^{}]*$/
  )
})

it("lists the months of the tables that only grow", async () => {
  const { stdout } = await journeys("months", "list")
  expect(stdout).toMatch(/^MONTH +ENDS +ROWS +BYTES +OLDEST LIVE JOURNEY\njournal_\d{4}_\d\d +20\S+ +\d+ +\d+ +-\n/)
  expect(stdout).toMatch(/\nattempts_other +- +0 +\d+ +-\n$/)
})

it("finds companies by the beginning of their name", async () => {
  await makeCompany(ground.service, { name: "Zebra Cars" })
  const found = await journeys("companies", "list", "--search", "zEb")
  expect(found.stdout).toMatch(/^ID +NAME +KIND +ACTIVE +CREATED\n\S+ +Zebra Cars +DEALER +true +\S+\n$/)
})

it("shows how a company's mail to customers stands, stops and starts it, sets its number, and records what came back", async () => {
  const company = await makeCompany(ground.service, { name: "Mail Cars" })
  expect((await journeys("mail", "standing", "Mail Cars")).stdout).toMatch(/perDay +200/)
  expect((await journeys("mail", "stop", "Mail Cars")).stdout).toMatch(/stoppedBy +OPERATOR/)
  expect((await journeys("mail", "start", "Mail Cars")).stdout).not.toContain("OPERATOR")
  expect((await journeys("mail", "allow", "Mail Cars", "--per-day", "5000")).stdout).toMatch(/perDay +5000/)
  expect((await journeys("mail", "allow", "Mail Cars")).stdout).toMatch(/perDay +200/)
  const [mail] = await ground.service.query<{ readonly id: string }>(
    `insert into mails (id, cause, kind, company_id, facts, created_at)
     values (gen_random_uuid(), 'a mail that has left', 'INVITATION', $1, '{}', now()) returning id`,
    [company.id]
  )
  expect((await journeys("mail", "returned", mail?.id ?? "", "complaint")).stdout).toMatch(/reported +1/)
  expect((await journeys("mail", "returned", company.id, "bounce")).code).toBe(1)
})

it("revokes a token of the operator by its name, and by its id", async () => {
  for (const by of ["name", "id"] as const) {
    const made = await journeys("operator-tokens", "create", `monitor-${by}`, "--scope", "metrics:read", "--json")
    const { id } = JSON.parse(made.stdout) as { readonly id: string }
    expect((await journeys("operator-tokens", "revoke", by === "id" ? id : `monitor-${by}`)).code).toBe(0)
    const listed = JSON.parse((await journeys("operator-tokens", "list", "--json")).stdout) as {
      readonly content: ReadonlyArray<{ readonly id: string; readonly revokedAt: string | null }>
    }
    expect(listed.content.find((one) => one.id === id)?.revokedAt).not.toBeNull()
  }
})
