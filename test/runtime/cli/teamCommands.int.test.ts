import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { TestCompany } from "../../support/companies.ts"
import { commandsScript, run, temporaryFolder } from "../../support/processes.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { journeyAt, reviewOf, slowCompany } from "../../http/api/settings/reviewGround.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

let service: Service
let company: TestCompany
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  service = await startService()
  company = await slowCompany(service)
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

/** The command's data; it must have succeeded. */
const json = async (...parameters: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await journeys(...parameters, "--json")
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

it("lists reviews, shows one and decides it once", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
  const review = await reviewOf(service, company, id)
  const list = await journeys("reviews", "list", company.id, "--mode", "TEST")
  expect(list.stdout).toMatch(new RegExp(`^ID +KIND +CUSTOMER.*AGE.*\n${review} +IDENTITY +\\w+ \\w+ .* 0 min +${id} `))
  expect((await journeys("reviews", "list", company.id)).stdout).toBe("None.\n")
  const { stdout: shown } = await journeys("reviews", "show", company.id, review)
  expect(shown).toMatch(/PICTURES\nNone\.\n\nTHE CUSTOMER WILL READ\nDECISION +ON +TEXT/)
  expect(shown).toMatch(/REJECT +page +Please verify your identity again/)
  expect(shown).toMatch(/REJECT +VERIFY_IDENTITY +Please try again to verify your identity for/)
  const decided = await json("reviews", "approve", company.id, review, "--reason", "The same person as in the document")
  expect([decided.id, decided.delivery.status]).toEqual([id, "AWAITING_LOCATION"])
  const again = await journeys("reviews", "reject", company.id, review, "--reason", "Somebody else altogether")
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("CONFLICT review")])
})

it("does the team's steps on a journey and lists its timeline", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", null)
  expect((await json("journeys", "resend-link", company.id, id)).id).toBe(id)
  expect((await journeys("journeys", "resend-check", company.id, id)).code).toBe(1)
  expect((await json("journeys", "cancel-handover", company.id, id)).status).toBe("CANCELLED")
  const timeline = await journeys("journeys", "timeline", company.id, id)
  expect(timeline.stdout).toMatch(/Start +journey\.created delivery\.created identity\.requested/)
  expect(timeline.stdout).toMatch(/operator +TeamCancelsHandover +delivery\.cancelled journey\.cancelled/)
})

it("lists journeys and searches them, and says how to go on", async () => {
  await journeyAt(service, company, "CASH_SALE", null, "before@example.com")
  const { id } = await journeyAt(service, company, "CASH_SALE", null, "listed@example.com")
  const piece = await journeys("journeys", "list", company.id, "--mode", "test", "--status", "active", "--size", "1")
  expect(piece.stdout).toMatch(
    new RegExp(`^ID +REGISTRATION.*\n${id} .* DELIVERY +TEST +ACTIVE .*\nMore with --after ${id}\n`)
  )
  const found = await json("journeys", "list", company.id, "--search", "listed@example.com")
  expect(found).toMatchObject({ content: [{ journey: { id } }], next: null })
  const wrong = await journeys("journeys", "list", company.id, "--waiting-since", "yesterday", "--after", "x")
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/waitingSince[^]*after/)])
})

it("reads the case file of a journey in sections, and as data", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review")
  const shown = await journeys("journeys", "case", company.id, id, "--reason", "review")
  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(/CUSTOMER\ntitle .*\nfirstName +\w+/)
  expect(shown.stdout).toMatch(/CONSENTS\nNone\./)
  expect(await json("journeys", "case", company.id, id)).toMatchObject({ journey: { id }, erased: false })
})

it("keeps the stock and erases a customer", async () => {
  expect(await json("vehicles", "set", company.id, "stock 7", "IN_STOCK")).toMatchObject({
    id: "stock 7",
    status: "IN_STOCK"
  })
  expect((await journeys("vehicles", "list", company.id)).stdout).toMatch(/^ID .*\nstock 7 +IN_STOCK +-/)
  const { customerReference } = await journeyAt(service, company, "CASH_SALE", null)
  const erased = await json("customers", "erase", company.id, customerReference)
  expect(erased).toMatchObject({ customerReference, erasedAt: expect.any(String) })
})

it("explains each of them without a service", async () => {
  for (const command of [
    ["reviews", "approve"],
    ["journeys", "timeline"],
    ["vehicles", "set"],
    ["customers", "erase"]
  ]) {
    const help = await journeys(...command, "--help")
    expect([command, help.code]).toEqual([command, 0])
    expect(help.stdout).toContain(["journeys", ...command].join(" "))
  }
})
