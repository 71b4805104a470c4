/** Mail through an SMTP server: what arrives, and which failures are for good. `SmtpMailer.tls.int.test.ts` is about TLS. */
import { Effect, Fiber, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { Mailer } from "../../../src/actors/mail/Mailer.ts"
import * as SmtpMailer from "../../../src/runtime/smtp/SmtpMailer.ts"
import { eventually } from "../../support/eventually.ts"
import { smtpAnswer, startMailServer } from "../../support/mailServer.ts"
import { from, mailServers, message, sending } from "./smtpGround.ts"

const { bareServer, started } = mailServers()

/** The addresses of a header's mailboxes: what stands in quotes or is encoded is a name. */
const addressesIn = (header: string): ReadonlyArray<string> =>
  header
    .replaceAll(/"(?:\\.|[^"\\])*"/g, "")
    .replaceAll(/=\?[^?]+\?[QB]\?[^?]*\?=/gi, "")
    .match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []

describe("a mail that is taken", () => {
  it("arrives with both parts, its own Message-ID and the sender of the settings", async () => {
    const server = await started()
    expect(await sending(server.url)).toBe("sent")
    const [mail] = server.received
    expect([mail?.from, mail?.to]).toEqual(["journeys@example.com", ["owner@harbourcars.example"]])
    expect(mail?.header("From")).toBe('"Journeys, Ltd" <journeys@example.com>')
    expect(mail?.header("To")).toBe("owner@harbourcars.example")
    expect(mail?.header("Message-ID")).toBe(`<${message.mailId}@example.com>`)
    expect(mail?.header("Auto-Submitted")).toBe("auto-generated")
    expect(mail?.header("X-Mailer")).toBeUndefined()
    expect(mail?.header("Content-Type")).toMatch(/^multipart\/alternative/)
    expect(mail?.raw).toContain("Plain words.\r\n.\r\nAfter a lone dot.")
    // A soft line break of quoted-printable may stand anywhere.
    expect(mail?.raw.replaceAll("=\r\n", "")).toContain(">Plain words.<br>.<br>After a lone dot.</p>")
  })

  it("has one recipient and no header beside ours, whatever stands in its fields", async () => {
    const server = await started()
    const injected = "\r\nBcc: everyone@example.com\r\n\r\nbody"
    await sending(server.url, { email: { ...message.email, subject: `Hello${injected}` } })
    await sending(server.url, { to: `owner@harbourcars.example${injected}` })
    await sending(server.url, { to: "owner@harbourcars.example, everyone@example.com" })
    expect(server.received.length).toBeGreaterThan(0)
    for (const { header, to } of server.received) {
      expect(to).toHaveLength(1)
      expect(to).not.toContain("everyone@example.com")
      expect(header("Bcc")).toBeUndefined()
    }
  })

  it.each([
    "Harbour Cars via Journeys",
    'Harbour "the best" Cars via Journeys',
    "Cars, Boats; Planes <mallory@evil.example> via Journeys",
    "mallory@evil.example, Cars via Journeys",
    "Cars\r\nBcc: everyone@example.com\r\n\r\nbody",
    "Söhne & Co via Journeys",
    "名前 🚗 via Journeys",
    "=?utf-8?Q?Mallory?= via Journeys",
    "back\\slash (comment) via Journeys",
    `${"long ".repeat(60)}via Journeys`
  ])("in a company's name is from one address, ours, and is answered to the company: %j", async (name) => {
    const server = await started()
    expect(await sending(server.url, { onBehalf: { name, replyTo: "owner@harbourcars.example" } })).toBe("sent")
    const [mail] = server.received
    expect([mail?.from, mail?.to]).toEqual(["journeys@example.com", [message.to]])
    expect(addressesIn(mail?.header("From") ?? "")).toEqual(["journeys@example.com"])
    expect(mail?.header("Reply-To")).toBe("owner@harbourcars.example")
    expect(mail?.header("Bcc")).toBeUndefined()
  })

  it("has no encoded word in its subject and its sender's name that came with a name", async () => {
    const server = await started()
    const word = "=?utf8?q?a.io=2Fx?="
    const email = { ...message.email, subject: `Please verify your identity for ${word}` }
    const onBehalf = { name: `${word} via Journeys`, replyTo: "owner@harbourcars.example" }
    expect(await sending(server.url, { email, onBehalf })).toBe("sent")
    const [mail] = server.received
    expect([mail?.header("Subject"), mail?.header("From")].join("\n")).not.toMatch(/=\?utf8\?q\?/i)
  })

  it("has nobody to be answered to but the address it was given", async () => {
    const server = await started()
    const replyTo = "owner@harbourcars.example, everyone@example.com\r\nBcc: x@example.com"
    await sending(server.url, { onBehalf: { name: "Harbour Cars via Journeys", replyTo } })
    for (const { header } of server.received) {
      expect(header("Bcc")).toBeUndefined()
      expect(addressesIn(header("Reply-To") ?? "")).not.toContain("everyone@example.com")
    }
  })

  it("reads no file and no address for its content", async () => {
    const server = await started()
    const page = await bareServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"))
    // What nodemailer takes for a file or an address, where a paragraph should stand.
    const sources = [{ path: import.meta.filename }, { href: page.url.replace("smtp", "http") }]
    const paragraphs = sources as unknown as ReadonlyArray<string>
    await sending(server.url, { email: { ...message.email, paragraphs } })
    for (const { raw } of server.received) expect(raw).not.toContain("for its content")
    expect(page.said()).toBe("")
  })
})

describe("a mail that is not taken", () => {
  it.each([550, 501, 552, 554])("is refused for good when its recipient gets a %i", async (code) => {
    const server = await started({ onRcptTo: ({ address }, _session, done) => done(smtpAnswer(code, `no ${address}`)) })
    expect(await sending(server.url)).toBe(`MailRefused: EENVELOPE ${code} RCPT TO`)
  })

  it("is refused for good when its content gets a 554", async () => {
    const server = await started({ judge: ({ to }) => smtpAnswer(554, `spam for ${to.join()}`) })
    expect(await sending(server.url)).toBe("MailRefused: EMESSAGE 554 DATA")
  })

  it.each([451, 421, 530])("may be taken later when its recipient gets a %i", async (code) => {
    const server = await started({ onRcptTo: ({ address }, _session, done) => done(smtpAnswer(code, `no ${address}`)) })
    expect(await sending(server.url)).toMatch(new RegExp(`^MailNotSent: E\\w+ ${code} (?:RCPT TO|CONN)$`))
  })

  it("may be taken later when its content gets a 451", async () => {
    const server = await started({ judge: () => smtpAnswer(451) })
    expect(await sending(server.url)).toBe("MailNotSent: EMESSAGE 451 DATA")
  })

  it("may be taken later when the sender is what is refused", async () => {
    const server = await started({ onMailFrom: (_address, _session, done) => done(smtpAnswer(550)) })
    expect(await sending(server.url)).toBe("MailNotSent: EENVELOPE 550 MAIL FROM")
  })

  it("may be taken later when the server turns everybody away", async () => {
    const server = await started({ onConnect: (_session, done) => done(smtpAnswer(554)) })
    expect(await sending(server.url)).toMatch(/^MailNotSent: EPROTOCOL 554/)
  })

  it("may be taken later when nobody listens", async () => {
    const server = await startMailServer()
    await server.stop()
    expect(await sending(`smtp://127.0.0.1:${server.port}`)).toMatch(/^MailNotSent: ESOCKET/)
  })

  it("may be taken later when the connection drops in the middle of DATA", async () => {
    let mails = 0
    const server = await bareServer((socket, said) => {
      if (said === "") socket.write("220 hello\r\n")
      else if (said.startsWith("DATA")) socket.write("354 go on\r\n")
      else if (/^(?:EHLO|MAIL|RCPT)/.test(said)) socket.write("250 yes\r\n")
      else {
        mails += 1
        socket.destroy()
      }
    })
    expect(await sending(server.url)).toMatch(/^MailNotSent: ECONNECTION/)
    expect(mails).toBeGreaterThan(0)
  })

  it("may be taken later when the server answers without end, which is not read without end", async () => {
    let written = 0
    const server = await bareServer((socket, said) => {
      if (said !== "") return
      const flood = () => {
        while (!socket.destroyed && socket.write("2".repeat(65_536))) written += 65_536
        socket.once("drain", flood)
      }
      flood()
    })
    expect(await sending(server.url)).toMatch(/^MailNotSent: EPROTOCOL/)
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  it("leaves no connection behind when it is given up while the server is silent", async () => {
    const server = await bareServer((socket, said) => {
      if (said === "") socket.write("220 hello\r\n")
    })
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const mailer = yield* Mailer
          const fiber = yield* Effect.forkScoped(mailer.send(message))
          yield* Effect.promise(() => eventually(server.said, (said) => said.startsWith("EHLO")))
          yield* Fiber.interrupt(fiber)
          yield* Effect.promise(() => eventually(server.connections, (count) => count === 0))
        }).pipe(Effect.provide(SmtpMailer.layerOf(Redacted.make(server.url), from)))
      )
    )
  })
})
