/**
 * What a journey, its mails, its links and the lists about it cost must not depend on how much the tables hold. PostgreSQL counts
 * the rows that it has met while it read a table from end to end; in tables that grow there may be none. What a service reads as it
 * starts, to remove what is old, it reads here while the tables are empty.
 */
import { beforeAll, expect, it } from "vitest"
import { CustomerBrowser } from "../../http/app/CustomerBrowser.ts"
import { ConsoleBrowser } from "../../http/console/consoleGround.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"

/** They hold what an installation has few of. */
const small = new Set(["companies", "encryption_indexes", "encryption_keys", "migrations"])

const administrator = "owner@harbour.example"
const member = "ann@harbour.example"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ BASE_URL: "http://localhost" })
  company = await makeCompany(service, { adminEmail: administrator, settings: { sandbox: { pace: "manual" } } })
})

/** Of one journey, or of none. */
const linkIn = async (address: string, kind: string, journeyId?: string): Promise<string> => {
  const about = journeyId === undefined ? "" : `&journeyId=${journeyId}`
  const mails = await eventually(
    async (): Promise<ReadonlyArray<{ readonly kind: string; readonly text: string }>> =>
      (await askSettings(service, `/mail?to=${address}${about}`)).data.content,
    (found) => found.some((mail) => mail.kind === kind)
  )
  const { text } = mails.find((mail) => mail.kind === kind) ?? { text: "" }
  return /http:\/\/localhost(\/\S+)/.exec(text)?.[1] ?? ""
}

const ok = async (path: string, body?: unknown) => {
  const answer = await ask(service, company.testKey, path, body === undefined ? {} : { body })
  expect([path, answer.success]).toEqual([path, true])
  return answer.data
}

const identityJourney = async () => {
  const { id } = (await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))).data
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(await linkIn(administrator, "VERIFY_IDENTITY", id))).status).toBe(303)
  await ok(`/api/v1/journeys/${id}/simulate`, { event: "identity.verified" })
  await ok(`/api/v1/journeys/${id}/simulate`, { event: "delivery.completed" })
}

const financeJourney = async () => {
  const { id } = (await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))).data
  await ok(`/api/v1/journeys/${id}/finance-decision`, { decision: "APPROVED" })
  for (const path of ["", "/actions"]) await ok(`/api/v1/journeys/${id}${path}`)
  for (const path of ["?status=ACTIVE", "?nextAction=SEND_FINANCE_DECISION", ""]) await ok(`/api/v1/journeys${path}`)
  for (const path of ["events", "requests"]) await ok(`/api/v1/${path}`)
}

const ofTheTeam = async () => {
  await addMember(service, company.id, { email: member, role: "OWNER" })
  const console = new ConsoleBrowser(service, null)
  await console.submit("/console/sign-in", { email: member })
  expect((await console.submit(await linkIn(member, "SIGN_IN"), {})).status).toBe(303)
  for (const page of ["", "/journeys", "/reviews", "/handovers", "/webhooks", "/wallets", "/team", "/audit"]) {
    expect([page, (await console.ask(`/console${page}`)).status]).toEqual([page, 200])
  }
}

/** Stops the service, because a connection tells what it has read when it ends. Says which tables that grow were read from end to end. */
const readWhole = async (): Promise<ReadonlyArray<string>> => {
  await service.stop()
  const read = await queryDirectly<{ readonly relname: string }>(
    service.databaseUrl,
    "select relname from pg_stat_user_tables where seq_tup_read > 0 order by relname"
  )
  return read.map(({ relname }) => relname).filter((name) => !small.has(name))
}

it("no table that grows is read from end to end for a journey, its mails, its links, or the lists about it", async () => {
  let read: ReadonlyArray<string> = []
  try {
    await identityJourney()
    await identityJourney()
    await financeJourney()
    await ofTheTeam()
  } finally {
    read = await readWhole()
  }
  expect(read).toEqual([])
})

it("no table that grows is read from end to end when a service starts and removes what is old", async () => {
  const { databaseUrl } = service
  const [mail] = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    `update mails set created_at = now() - interval '1 year'
     where id = (select id from mails where sealed is not null or is_unwritten limit 1) returning id`
  )
  await queryDirectly(databaseUrl, "select pg_stat_reset()")
  // It looks as soon as it starts, at mails last.
  service = await startService({ BASE_URL: "http://localhost", DATABASE_URL: databaseUrl })
  let read: ReadonlyArray<string> = []
  try {
    await eventually(
      () =>
        service.query<{ readonly kept: boolean }>(
          "select sealed is not null or is_unwritten as kept from mails where id = $1",
          [mail?.id]
        ),
      ([row]) => row?.kept === false
    )
  } finally {
    read = await readWhole()
  }
  expect(read).toEqual([])
})
