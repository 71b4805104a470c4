/**
 * The SMTP server refuses, is slow, is away, or takes a mail and says that it did not (FAULT-45), and the service stops
 * or dies in between. A mail is tried again under the same Message-ID until it is taken, and given up when it never
 * will be. Nothing else waits for it.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mailRetryDelays } from "../../src/actors/mail/sending/retrySchedule.ts"
import { askSettings, makeCompany, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { smtpAnswer, startMailServer, type MailServer } from "../support/mailServer.ts"
import { dueNow, owe, stateOf, type MailState } from "../support/owedMail.ts"
import { freshDatabase, startService } from "../support/service.ts"
import { startProcess } from "./ServiceProcess.ts"
import { freePort } from "../support/freePort.ts"

let open: Array<() => Promise<unknown>>
beforeEach(() => {
  open = []
})
afterEach(async () => {
  for (const stop of open.toReversed()) await stop()
})

const started = async (...wishes: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const server = await startMailServer(...wishes)
  open.push(server.stop)
  return server
}

const mailTo = ({ port }: MailServer) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "Journeys <journeys@example.com>"
})

/** A service with a company that mails through this server. */
const sending = async (server: MailServer, databaseUrl?: string) => {
  const service = await startService({
    ...mailTo(server),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
  })
  open.push(service.stop)
  return { ...service, company: await makeCompany(service, { adminEmail: "owner@harbourcars.example" }) }
}

const oweTo = (databaseUrl: string, company: TestCompany, ...causes: ReadonlyArray<string>) =>
  owe(databaseUrl, { companyId: company.id, causes })

const becomes = (databaseUrl: string, cause: string, isSo: (state: MailState) => boolean) =>
  eventually(
    () => stateOf(databaseUrl, cause),
    (state) => state !== undefined && isSo(state)
  )

const recipients = ({ received }: MailServer) => received.flatMap(({ to }) => to)
const messageIds = ({ received }: MailServer) => received.map(({ header }) => header("Message-ID"))

/** A server that answers no recipient until the test lets it go on. */
const hanging = async () => {
  let hangs = true
  const server = await started({
    onRcptTo: (_address, _session, done) => {
      if (!hangs) done()
    }
  })
  return { server, goOn: () => (hangs = false) }
}

describe("mail through an SMTP server", () => {
  it("leaves within moments, and the built-in mailbox has none of it", async () => {
    const server = await started()
    const { company, databaseUrl, ...service } = await sending(server)
    const [id] = await oweTo(databaseUrl, company, "one")
    await becomes(databaseUrl, "one", ({ sent }) => sent)
    expect(recipients(server)).toEqual(["owner@harbourcars.example"])
    expect(messageIds(server)).toEqual([`<${id}@example.com>`])
    const kept = "select 1 from mails where sealed is not null or to_index is not null"
    expect(await queryDirectly(databaseUrl, kept)).toEqual([])
    const answer = await askSettings(service, "/mail")
    expect([answer.status, answer.errors]).toEqual([
      404,
      [{ field: "mail", code: "NOT_FOUND", message: expect.stringContaining("SMTP_URL") }]
    ])
  })

  it("is tried again later, as the same mail, when the server refuses it for now", async () => {
    let refuses = true
    // The worst kind of refusal: the server took the mail all the same.
    const server = await started({ judge: () => (refuses ? smtpAnswer(451) : null) })
    const { company, databaseUrl } = await sending(server)
    await oweTo(databaseUrl, company, "later")
    const waiting = await becomes(databaseUrl, "later", ({ dueIn, tries }) => tries === 1 && (dueIn ?? 100) < 31)
    expect(waiting).toMatchObject({ sent: false, givenUp: false })
    expect(waiting?.dueIn).toBeGreaterThan((mailRetryDelays[0] ?? 0) / 1000 - 10)
    refuses = false
    await dueNow(databaseUrl, "later")
    expect(await becomes(databaseUrl, "later", ({ sent }) => sent)).toMatchObject({ tries: 2, due: false })
    const [first, second] = messageIds(server)
    expect(second).toBe(first)
    expect(server.received).toHaveLength(2)
  })

  it("is given up when it is refused for good, or when the schedule has ended", async () => {
    const server = await started({
      onRcptTo: ({ address }, _session, done) => done(smtpAnswer(address.startsWith("owner") ? 550 : 451))
    })
    const { company, databaseUrl, ...service } = await sending(server)
    await oweTo(databaseUrl, company, "refused")
    expect(await becomes(databaseUrl, "refused", ({ givenUp }) => givenUp)).toMatchObject({ tries: 1, due: false })

    const busy = await makeCompany(service, { adminEmail: "busy@harbourcars.example" })
    await oweTo(databaseUrl, busy, "ended")
    await becomes(databaseUrl, "ended", ({ dueIn, tries }) => tries === 1 && (dueIn ?? 100) < 31)
    await queryDirectly(databaseUrl, "update mails set tries = $1::int4, due_at = now() where cause = 'ended'", [
      mailRetryDelays.length
    ])
    expect(await becomes(databaseUrl, "ended", ({ givenUp }) => givenUp)).toMatchObject({ due: false, sent: false })
  })

  it("does not wait behind a server that hangs, and neither do callers", async () => {
    const server = await started({
      onRcptTo: ({ address }, _session, done) => {
        if (!address.startsWith("slow")) done()
      }
    })
    const { company, databaseUrl, ...service } = await sending(server)
    const slow = await makeCompany(service, { adminEmail: "slow@harbourcars.example" })
    await oweTo(databaseUrl, slow, "slow-1", "slow-2", "slow-3")
    await eventually(server.connections, (count) => count === 3)
    const causes = Array.from({ length: 20 }, (_, at) => `quick-${at}`)
    await oweTo(databaseUrl, company, ...causes)
    for (const cause of causes) await becomes(databaseUrl, cause, ({ sent }) => sent)
    expect((await askSettings(service, "/companies")).status).toBe(200)
    expect(await stateOf(databaseUrl, "slow-1")).toMatchObject({ tries: 1, sent: false, givenUp: false })
  })

  it("is sent once when two services share the work", async () => {
    const server = await started()
    const { company, databaseUrl } = await sending(server)
    await sending(server, databaseUrl)
    const causes = Array.from({ length: 60 }, (_, at) => `shared-${at}`)
    await oweTo(databaseUrl, company, ...causes)
    for (const cause of causes) await becomes(databaseUrl, cause, ({ sent }) => sent)
    expect(new Set(messageIds(server)).size).toBe(60)
    expect(server.received).toHaveLength(60)
  })
})

describe("a service that ends with mail in hand", () => {
  it("hands it back when it stops, so that the next one sends it at once", async () => {
    const { goOn, server } = await hanging()
    const databaseUrl = await freshDatabase()
    const service = await startService({ ...mailTo(server), DATABASE_URL: databaseUrl })
    const company = await makeCompany(service)
    await oweTo(databaseUrl, company, "stopped")
    await eventually(server.connections, (count) => count >= 1)
    await service.stop()
    goOn()
    const next = await startService({ ...mailTo(server), DATABASE_URL: databaseUrl })
    open.push(next.stop)
    expect(await becomes(databaseUrl, "stopped", ({ sent }) => sent)).toMatchObject({ tries: 2 })
    expect(server.received).toHaveLength(1)
  })

  it("loses no mail to kill -9, whatever the state of the mail, and logs neither address nor text", async () => {
    const { goOn, server } = await hanging()
    const databaseUrl = await freshDatabase()
    const port = await freePort()
    const launch = () => startProcess(databaseUrl, port, { ...mailTo(server), LOG_LEVEL: "trace" })
    const first = await launch()
    const company = await makeCompany(first, { adminEmail: "owner@harbourcars.example", name: "Harbour Canary" })
    const causes = Array.from({ length: 10 }, (_, at) => `killed-${at}`)
    await oweTo(databaseUrl, company, ...causes)
    await eventually(server.connections, (count) => count >= 2)
    await first.end("SIGKILL")
    // The dead service holds its mail for two minutes. Here they are skipped.
    await queryDirectly(
      databaseUrl,
      "update mails set due_at = now() where due_at is not null and kind <> 'ACCESS_CHANGED'"
    )
    goOn()
    const second = await launch()
    open.push(() => second.end("SIGKILL"))
    for (const cause of causes) await becomes(databaseUrl, cause, ({ sent }) => sent)
    expect(new Set(messageIds(server)).size).toBe(10)
    for (const words of ["harbourcars.example", "Harbour Canary", "Webhooks of", "since 2026"]) {
      expect(first.said() + second.said()).not.toContain(words)
    }
  })
})
