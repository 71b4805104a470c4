import { beforeAll, expect, it } from "vitest"
import { start, startBody, type TestCompany } from "../../support/companies.ts"
import { useCommands } from "./commandGround.ts"
import { journeyAt, reviewOf, slowCompany } from "../../http/api/settings/reviewGround.ts"

const ground = useCommands()
const { journeys, json } = ground
let company: TestCompany
beforeAll(async () => {
  company = await slowCompany(ground.service)
})

it("lists reviews, shows one and decides it once", async () => {
  const { id } = await journeyAt(ground.service, company, "CASH_SALE", "identity.under_review")
  const review = await reviewOf(ground.service, company, id)
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
  const { id } = await journeyAt(ground.service, company, "CASH_SALE", null)
  expect((await json("journeys", "resend-link", company.id, id)).id).toBe(id)
  expect((await journeys("journeys", "resend-check", company.id, id)).code).toBe(1)
  expect((await json("journeys", "cancel-handover", company.id, id)).status).toBe("CANCELLED")
  const timeline = await journeys("journeys", "timeline", company.id, id)
  expect(timeline.stdout).toMatch(/Start +journey\.created delivery\.created identity\.requested/)
  expect(timeline.stdout).toMatch(/operator +TeamCancelsHandover +delivery\.cancelled journey\.cancelled/)
})

it("takes what the person on the telephone knows of a journey in place of its id, and never a part of it", async () => {
  const startOf = (externalReference: string, registration: string, email: string) =>
    start(ground.service, company.testKey, {
      ...startBody("CASH_SALE"),
      externalReference,
      customer: { ...startBody("CASH_SALE").customer, email },
      vehicle: { ...startBody("CASH_SALE").vehicle, registration }
    })
  const { data: one } = await startOf("call-10", "QX10 CAL", "caller10@example.com")
  const { data: longer } = await startOf("call-1003", "QX11 CAL", "caller1003@example.com")
  for (const name of ["call-10", "qx10cal", "Caller10@example.com", " call-10 "]) {
    expect((await json("journeys", "show", company.id, name)).journey.id).toBe(one.id)
  }
  const part = await journeys("journeys", "cancel", company.id, "call-100", "--reason", "The customer buys no car")
  expect([part.code, part.stderr]).toEqual([
    1,
    expect.stringMatching(`beginning of a reference.*\n  ${longer.id} +TEST`)
  ])
  await startOf("call-11", "QX10 CAL", "another10@example.com")
  const several = await journeys("journeys", "show", company.id, "QX10 CAL")
  expect([several.code, several.stderr]).toEqual([1, expect.stringContaining("finds several journeys")])
  expect(several.stderr).toContain(one.id)
  const none = await journeys("customers", "sessions", company.id, "call-12")
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('email "call-12"')])
})

it("cancels a journey that has no handover yet", async () => {
  const { id } = await journeyAt(ground.service, company, "IDENTITY_DELIVERY", null)
  const why = ["--reason", "The customer buys no car"]
  expect((await json("journeys", "cancel", company.id, id, ...why)).status).toBe("CANCELLED")
  expect((await journeys("journeys", "cancel", company.id, id, ...why)).stderr).toContain("CONFLICT journey")
})

it("lists journeys and searches them, and says how to go on", async () => {
  await journeyAt(ground.service, company, "CASH_SALE", null, "before@example.com")
  const { id } = await journeyAt(ground.service, company, "CASH_SALE", null, "listed@example.com")
  const piece = await journeys("journeys", "list", company.id, "--mode", "test", "--status", "active", "--size", "1")
  expect(piece.stdout).toMatch(
    new RegExp(`^ID +CUSTOMER +REGISTRATION.*\n${id} .* DELIVERY +TEST +ACTIVE .*\nMore with --after ${id}\n`)
  )
  const found = await json("journeys", "list", company.id, "--search", "listed@example.com")
  expect(found).toMatchObject({ content: [{ journey: { id } }], next: null })
  const wrong = await journeys("journeys", "list", company.id, "--waiting-since", "yesterday", "--after", "x")
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/waitingSince[^]*after/)])
})

it("reads the case file of a journey in sections, and as data", async () => {
  const { id } = await journeyAt(ground.service, company, "CASH_SALE", null)
  const forced = await json("journeys", "simulate", company.id, id, "identity.under_review")
  expect(forced.nextAction).toBe("DEALER_TO_REVIEW")
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
  const { customerReference } = await journeyAt(ground.service, company, "CASH_SALE", null)
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

it("makes a test clock, starts a journey on it, advances it and ends it", async () => {
  expect((await journeys("clocks", "list", company.id)).stdout).toBe("None.\n")
  const { id } = await json("clocks", "create", company.id)
  const { id: journeyId } = await json("sandbox", "start", company.id, "cash_sale", "--clock", id)
  expect((await json("clocks", "show", company.id, id)).journeys).toBe(1)
  expect((await journeys("clocks", "list", company.id)).stdout).toMatch(new RegExp(`\\n${id} +20\\S+Z +READY +- +1 `))
  const advanced = await journeys("clocks", "advance", company.id, id, "--by", "P31D")
  expect(advanced.stdout).toMatch(/^now +20\S+Z\ntarget +-\ncomplete +true\n/)
  expect(advanced.stdout).toMatch(
    new RegExp(`${journeyId} +CustomerWindowPassed +delivery\\.expired journey\\.expired`)
  )
  const other = await json("clocks", "create", company.id)
  expect((await json("clocks", "end", company.id, id)).id).toBe(id)
  expect((await journeys("clocks", "end", company.id, other.id)).stdout).toMatch(/\nThe clock has ended\./)
  expect((await journeys("clocks", "show", company.id, id)).stderr).toContain("NOT_FOUND clock")
})
