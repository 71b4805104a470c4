/**
 * What the tests of journeys' mail share: a service that sends through a real SMTP server, journeys, and the mail that
 * arrived. Not a test itself.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import { JourneyMailbox } from "../../src/actors/journey/actor/JourneyMailbox.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { makeCompany, start, startBody } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { smtpAnswer, startMailServer, type MailServer, type ReceivedMail } from "../support/mailServer.ts"
import { startService, type Service } from "../support/service.ts"
import { JourneyId } from "../../src/schema/ids.ts"

export const baseUrl = "https://journeys.example"
export const admin = "owner@harbourcars.example"

export const subjects = (mails: ReadonlyArray<ReceivedMail>) => mails.map(({ header }) => header("Subject") ?? "")

/** The text part as it was before its transport. */
export const textOf = ({ raw }: ReceivedMail): string => {
  const [, part = ""] = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw) ?? []
  return part
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** The service and the server live as long as the tests of one file. */
export const journeyMailGround = () => {
  let server: MailServer
  let service: Service
  /** What the server answers to a recipient, by the beginning of the address; null: yes. */
  const answers = new Map<string, number>()

  beforeAll(async () => {
    server = await startMailServer({
      onRcptTo: ({ address }, _session, done) => {
        const code = [...answers].find(([beginning]) => address.startsWith(beginning))?.[1]
        done(code === undefined ? null : smtpAnswer(code))
      }
    })
    service = await startService({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: "Journeys <journeys@example.com>",
      BASE_URL: baseUrl
    })
  })
  afterAll(async () => {
    await service.stop()
    await server.stop()
  })

  const liveCompany = (adminEmail = admin, name = "Harbour Cars") =>
    makeCompany(service, {
      adminEmail,
      name,
      credits: 1000,
      settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
    })

  let customers = 0
  const newAddress = (name = "ann") => `${name}.${(customers += 1)}@customer.example`

  /** A journey of a customer of its own; answers with its id. */
  const begin = async (key: string, shape: Shape, email: string, changes: Readonly<Record<string, unknown>> = {}) => {
    const body = startBody(shape)
    const answer = await start(service, key, { ...body, customer: { ...body.customer, email }, ...changes })
    if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.errors)}`)
    return String(answer.data.id)
  }

  const sendMessage = (journeyId: string, message: JourneyMessage) =>
    service.run(
      Effect.flatMap(JourneyMailbox, (mailbox) =>
        mailbox.ask(JourneyId.make(journeyId), {
          messageId: randomUUID(),
          sender: "test",
          scope: null,
          message,
          sealedNote: null,
          sealedPhoto: null
        })
      )
    )

  const mailsTo = (address: string) => server.received.filter(({ to }) => to.includes(address))
  const arrived = (address: string, count: number): Promise<ReadonlyArray<ReceivedMail>> =>
    eventually(
      () => Promise.resolve(mailsTo(address)),
      (mails) => mails.length >= count
    )

  const causesOf = (journeyId: string, kind: string) =>
    service.query<{ readonly cause: string }>(
      "select cause from mails where journey_id = $1 and kind = $2 order by created_at, cause",
      [journeyId, kind]
    )
  const causeOf = async (journeyId: string, kind: string): Promise<string> => {
    const [row] = await eventually(
      () => causesOf(journeyId, kind),
      (found) => found.length > 0
    )
    return row?.cause ?? ""
  }

  return {
    service: () => service,
    server: () => server,
    answers,
    liveCompany,
    newAddress,
    begin,
    sendMessage,
    mailsTo,
    arrived,
    causesOf,
    causeOf
  }
}
