/**
 * kill -9 while mail is handed to an SMTP server: before the server has the mail, before it says so, between its word
 * and the record, and after the record. A mail goes out again only when the service cannot know, and it is then the
 * same mail, with a link that works. A cause never has two mails (INV-20).
 */
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, it } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer, type MailServer, type ReceivedMail } from "../support/mailServer.ts"
import { freshDatabase } from "../support/service.ts"
import { holdRows } from "./heldRows.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"

/** Where a mail is when the service dies. The customer's address says which case it is. */
type Moment = "recorded" | "unaccepted" | "unanswered" | "unrecorded"

const withinMillis = 30_000

let databaseUrl: string
let port: number
let service: ServiceProcess
let server: MailServer
let company: TestCompany
/** The service is dead. Whoever comes now is answered at once. */
let isOver: boolean
let recipients: Set<string>
let answerUnrecorded: () => void

const launch = async () => {
  service = await startProcess(databaseUrl, port, {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>"
  })
}

const isFor = (moment: Moment, address = "") => address.startsWith(moment)

beforeEach(async () => {
  databaseUrl = await freshDatabase()
  port = await freePort()
  isOver = false
  recipients = new Set()
  const gate = Promise.withResolvers<null>()
  answerUnrecorded = () => gate.resolve(null)
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      recipients.add(address)
      if (isOver || !isFor("unaccepted", address)) done()
    },
    judge: ({ to: [address] }) => {
      if (isOver || isFor("recorded", address)) return null
      return isFor("unrecorded", address) ? gate.promise : new Promise<null>(() => {})
    }
  })
  await launch()
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterEach(async () => {
  await service.end("SIGKILL")
  await server.stop()
})

const begin = async (moment: Moment) => {
  const body = startBody("IDENTITY_DELIVERY")
  const email = `${moment}-${randomUUID()}@customer.example`
  body.customer.email = email
  const { data } = await start(service, company.liveKey, body)
  return { id: String(data.id), email }
}
type Begun = Awaited<ReturnType<typeof begin>>

const mailsTo = ({ email }: Begun) => server.received.filter(({ to }) => to.includes(email))
const messageId = ({ header }: ReceivedMail) => header("Message-ID")
const linkIn = ({ raw }: ReceivedMail) => /\/app\/l\/[\w-]{43}/.exec(raw.replaceAll("=\r\n", ""))?.[0]

interface MailRow {
  readonly id: string
  readonly kind: string
  readonly tries: number
  readonly sent: boolean
}
const rowsOf = ({ id }: Begun) =>
  queryDirectly<MailRow>(
    databaseUrl,
    "select id, kind, tries, sent_at is not null as sent from mails where journey_id = $1 order by kind",
    [id]
  )
const areSent = (begun: Begun) =>
  eventually(
    () => rowsOf(begun),
    (rows) => rows.length === 2 && rows.every(({ sent }) => sent),
    withinMillis
  )

it(
  "sends a mail again only if it cannot know whether the mail was taken, and then the same mail",
  { timeout: 180_000 },
  async () => {
    const recorded = await begin("recorded")
    await areSent(recorded)
    const [unaccepted, unanswered, unrecorded] = [
      await begin("unaccepted"),
      await begin("unanswered"),
      await begin("unrecorded")
    ]
    await eventually(
      () => [recipients.has(unaccepted.email), mailsTo(unanswered).length, mailsTo(unrecorded).length],
      (reached) => reached.every(Boolean),
      withinMillis
    )
    const held = await holdRows(databaseUrl)
    await held.take("select from mails where journey_id = $1 for no key update", [unrecorded.id])
    answerUnrecorded()
    await held.awaited("update mails m set due_at = null, sent_at = t.at")
    await service.end("SIGKILL")
    await held.letGo()
    for (const one of [unaccepted, unanswered, unrecorded]) {
      expect((await rowsOf(one)).map(({ sent }) => sent)).toEqual([false, false])
    }

    isOver = true
    // The dead service holds its mail for two minutes. Here they are skipped.
    await queryDirectly(
      databaseUrl,
      "update mails set due_at = now() where due_at is not null and kind <> 'ACCESS_CHANGED'"
    )
    await launch()
    const begun = [recorded, unaccepted, unanswered, unrecorded]
    for (const one of begun) await areSent(one)

    for (const one of begun) {
      const rows = await rowsOf(one)
      expect(rows.map(({ kind }) => kind)).toEqual(["VERIFY_IDENTITY", "WELCOME"])
      // What arrived, however often, is one mail for each cause.
      expect(new Set(mailsTo(one).map(messageId))).toEqual(new Set(rows.map(({ id }) => `<${id}@example.com>`)))
    }
    for (const one of [recorded, unaccepted]) expect(mailsTo(one)).toHaveLength(2)
    for (const one of [unanswered, unrecorded]) {
      const [first, second, ...others] = mailsTo(one)
      expect(second && messageId(second)).toBe(first && messageId(first))
      expect(others).toHaveLength(1)
    }
    expect(await inconsistencies((text, values) => queryDirectly(databaseUrl, text, values))).toEqual([])
  }
)

it("sends a mail that may already have been taken again, and the links of both copies are open", async () => {
  const begun = await begin("recorded")
  await areSent(begun)
  await service.end("SIGKILL")
  // As if the record of the mail had been lost with the service.
  await queryDirectly(
    databaseUrl,
    "update mails set sent_at = null, due_at = now() where journey_id = $1 and kind = 'VERIFY_IDENTITY'",
    [begun.id]
  )
  await launch()
  await areSent(begun)
  const again = mailsTo(begun).filter((mail) => linkIn(mail) !== undefined)
  const links = again.map(linkIn)
  expect(new Set(links).size).toBe(2)
  for (const link of links) expect(await (await fetch(`${service.baseUrl}${link}`)).text()).toContain("Continue")
  expect(new Set(again.map(messageId)).size).toBe(1)
})
