/** The correction of a customer's data (decision D9): what changes, what stays, and that nothing keeps the values of before. */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PersonalRecords } from "../../../../src/actors/customer/PersonalRecords.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { addCustomerSession } from "../../../support/addCustomerSession.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"
import { CustomerBrowser, newLink } from "../../app/CustomerBrowser.ts"
import { journeyAt, simulate } from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
  company = await makeCompany(service, {
    credits: 50,
    settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
  })
})
afterAll(() => service.stop())

let customers = 0
const address = () => `customer-${(customers += 1)}@mistyped.example`

const begin = async (email: string, key = company.liveKey): Promise<{ id: string; customerReference: string }> => {
  const body = startBody("CASH_SALE")
  const answer = await start(service, key, { ...body, customer: { ...body.customer, email } })
  expect(answer.status).toBe(202)
  return answer.data
}

const correct = (customerReference: string, body: unknown, of = company) =>
  askSettings(service, `/companies/${of.id}/customers/${customerReference}`, { method: "PATCH", body })

const customerIn = async (journeyId: string) => {
  const record = await service.run(
    Effect.flatMap(PersonalRecords, (records) => records.read(JourneyId.make(journeyId)))
  )
  return (record as { readonly customer: Readonly<Record<string, unknown>> }).customer
}

interface Shown {
  readonly to: string
  readonly kind: string
  readonly text: string
}

const mailsOf = async (journeyId: string): Promise<ReadonlyArray<Shown>> =>
  (await askSettings(service, `/mail?journeyId=${journeyId}&size=50`)).data.content

const linesOf = async () =>
  (await askSettings(service, `/companies/${company.id}/audit?action=customer.corrected`)).data.content

describe("a correction of how to reach a customer", () => {
  it("replaces the address in every journey, ends links and sessions, and mails a new link to the new one alone", async () => {
    const [wrong, right] = [address(), address()]
    const first = await begin(wrong)
    const second = await begin(wrong)
    expect(second.customerReference).toBe(first.customerReference)
    const stranger = new CustomerBrowser(service)
    const link = await newLink(service, first.id, "VERIFY_IDENTITY")
    const unused = await newLink(service, second.id, "VERIFY_IDENTITY")
    expect((await stranger.signIn(link)).status).toBe(303)
    await addCustomerSession(service, second.id)
    const isRight = ({ kind, to }: Shown) => to === right && kind === "VERIFY_IDENTITY"
    const answer = await correct(first.customerReference, { email: right, mobile: "07700 900456" })
    expect([answer.status, answer.data]).toEqual([
      200,
      { customerReference: first.customerReference, corrected: ["mobile", "email"], journeys: 2, linksMailed: 2 }
    ])
    for (const { id } of [first, second]) {
      expect(await customerIn(id)).toMatchObject({ email: right, mobile: "07700 900456" })
      expect(await service.query("select from customer_sessions where journey_id = $1", [id])).toEqual([])
      const mails = await eventually(
        () => mailsOf(id),
        (found) => found.some((mail) => isRight(mail))
      )
      // A mail that was still to be sent goes to the right address as well.
      const [mail, ...others] = mails.filter(isRight)
      expect(others).toEqual([])
      expect(mail?.text).toContain("/app/l/")
    }
    expect((await stranger.ask("/app/journey")).text).not.toContain("Verify your identity")
    expect((await new CustomerBrowser(service).signIn(unused)).status).toBe(404)
    const [line] = await linesOf()
    expect(line.details).toEqual({ customerReference: first.customerReference, fields: ["mobile", "email"] })
  })

  it("makes the new address the one by which the customer is known, and the old one somebody else's", async () => {
    const [wrong, right] = [address(), address()]
    const before = await begin(wrong)
    await correct(before.customerReference, { email: right })
    expect((await begin(right)).customerReference).toBe(before.customerReference)
    const other = await begin(wrong)
    expect(other.customerReference).not.toBe(before.customerReference)
    const taken = await correct(other.customerReference, { email: right.toUpperCase().replace("EXAMPLE", "example") })
    expect([taken.status, taken.errors?.[0]]).toMatchObject([409, { field: "email", code: "CONFLICT" }])
    expect(await customerIn(other.id)).toMatchObject({ email: wrong })
  })

  it("takes an address by which another company, or the other mode, knows a customer", async () => {
    const [there, inTest] = [address(), address()]
    const other = await makeCompany(service, { credits: 5, settings: { identityProvider: { kind: "BUILT_IN" } } })
    await begin(there, other.liveKey)
    await begin(inTest, company.testKey)
    const { customerReference, id } = await begin(address())
    for (const email of [there, inTest]) {
      expect((await correct(customerReference, { email })).status).toBe(200)
      expect(await customerIn(id)).toMatchObject({ email })
    }
  })

  it("is refused when another customer gets the address while the correction looks", async () => {
    const [wrong, right] = [address(), address()]
    const { customerReference, id } = await begin(wrong)
    const other = await begin(right, company.testKey)
    // A transaction of the test stands for the start of a live journey, which is not written yet when the correction looks.
    const rows = await holdRows(service.databaseUrl)
    await rows.take(
      `insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
       select gen_random_uuid(), company_id, true, email_index, wrapped_key, created_at from customers where id = $1`,
      [other.customerReference]
    )
    const correcting = correct(customerReference, { email: right })
    await rows.awaited("update customers set email_index")
    await rows.take("commit")
    await rows.end()
    const taken = await correcting
    expect([taken.status, taken.errors?.[0]]).toMatchObject([409, { field: "email", code: "CONFLICT" }])
    expect(await customerIn(id)).toMatchObject({ email: wrong })
  })

  it("writes nothing and mails nothing when it is what is on file, or blank", async () => {
    const email = address()
    const { customerReference, id } = await begin(email)
    const lines = (await linesOf()).length
    const mails = (await service.query("select from mails where journey_id = $1", [id])).length
    for (const body of [{}, { email }]) {
      const answer = await correct(customerReference, body)
      expect([answer.status, answer.message, answer.data.corrected]).toEqual([200, "Nothing changed", []])
    }
    const blank = await correct(customerReference, { firstName: "Ada", lastName: "  ", mobile: "" })
    expect(blank.errors).toMatchObject([{ field: "lastName" }, { field: "mobile" }])
    expect((await linesOf()).length).toBe(lines)
    expect((await service.query("select from mails where journey_id = $1", [id])).length).toBe(mails)
  })
})

describe("a correction of who a customer is", () => {
  it("counts while nobody has verified it, and is in mails and the case file", async () => {
    const { customerReference, id } = await begin(address())
    const answer = await correct(customerReference, {
      firstName: "  Ada ",
      lastName: "Lovelace",
      dateOfBirth: "1990-12-10"
    })
    expect(answer.data).toMatchObject({ corrected: ["firstName", "lastName", "dateOfBirth"], linksMailed: 0 })
    const { data } = await askSettings(service, `/companies/${company.id}/journeys/${id}/case?reason=support`)
    expect(data.customer).toMatchObject({ firstName: "Ada", lastName: "Lovelace", dateOfBirth: "1990-12-10" })
  })

  it("is refused once an identity was verified with it, and leaves all as it was; the telephone still changes", async () => {
    const { customerReference, id } = await journeyAt(service, company, "CASH_SALE", null)
    await simulate(service, company, id, "identity.verified")
    const before = await customerIn(id)
    const refused = await correct(customerReference, { mobile: "07700 900456", firstName: "Ada" })
    expect([refused.status, refused.errors?.[0]]).toMatchObject([409, { field: "firstName", code: "CONFLICT" }])
    expect(await customerIn(id)).toEqual(before)
    expect((await correct(customerReference, { mobile: "07700 900457", firstName: before["firstName"] })).status).toBe(
      200
    )
    expect(await customerIn(id)).toEqual({ ...before, mobile: "07700 900457" })
  })

  it("is refused once the service has sent it to a lender", async () => {
    const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
    const { data } = await start(service, company.testKey, {
      ...body,
      customer: { ...body.customer, email: address() }
    })
    const refused = await correct(data.customerReference, { dateOfBirth: "1990-12-10" })
    expect([refused.status, refused.errors?.[0]]).toMatchObject([409, { field: "dateOfBirth", code: "CONFLICT" }])
  })

  it.each([
    [{ firstName: "see www.example.com" }, "firstName"],
    [{ email: "nobody" }, "email"],
    [{ dateOfBirth: "2999-01-01" }, "dateOfBirth"],
    [{ mobile: "call me" }, "mobile"],
    [{ title: "KING" }, "title"],
    [{ vehicle: {} }, "vehicle"]
  ])("is refused in the form in which a start would be: %j", async (body, field) => {
    const { customerReference } = await begin(address())
    const refused = await correct(customerReference, body)
    expect([refused.status, refused.errors?.[0]]).toMatchObject([400, { field, code: "VALIDATION_FAILED" }])
  })
})

it("a correction reaches no customer of another company, and none who was erased", async () => {
  const { customerReference } = await begin(address())
  const other = await makeCompany(service)
  expect((await correct(customerReference, { mobile: "07700 900456" }, other)).status).toBe(404)
  await askSettings(service, `/companies/${company.id}/customers/${customerReference}`, { method: "DELETE" })
  expect((await correct(customerReference, { mobile: "07700 900456" })).status).toBe(404)
})

it("a correction leaves nothing of the old record in the database that opens or is the same", async () => {
  const { customerReference, id } = await begin(address())
  const sealed = async () =>
    (
      await service.query<{ readonly hex: string }>(
        "select encode(sealed, 'hex') as hex from personal_records where journey_id = $1",
        [id]
      )
    )[0]?.hex ?? ""
  const before = await sealed()
  await correct(customerReference, { mobile: "07700 900456" })
  expect(before.length).toBeGreaterThan(0)
  expect(await sealed()).not.toBe(before)
  const tables = await service.query<{ readonly name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'"
  )
  for (const { name } of tables) {
    expect([name, await service.query(`select from ${name} t where t::text like $1`, [`%${before}%`])]).toEqual([
      name,
      []
    ])
  }
})
