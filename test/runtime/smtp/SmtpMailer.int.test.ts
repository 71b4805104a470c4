import { Effect, Fiber, Redacted, Result } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Mailer, type MailMessage } from "../../../src/actors/mail/Mailer.ts"
import * as SmtpMailer from "../../../src/runtime/smtp/SmtpMailer.ts"
import { eventually } from "../../support/eventually.ts"
import { smtpAnswer, startMailServer, type MailServer } from "../../support/mailServer.ts"

const message: MailMessage = {
  mailId: "019bc0a1-7c00-7009-8000-000000000001",
  to: "owner@harbourcars.example",
  subject: "Webhooks of Söhne & Co have been turned off",
  text: "Plain words.\n.\nAfter a lone dot.\n",
  html: "<p>Marked words.</p>\n",
  onBehalf: null,
  customerKey: null
}
const from = "Journeys, Ltd <journeys@example.com>"

/** Sends with a mailer of its own and answers with what became of it: "sent", or the failure's tag and reason. */
const sending = (url: string, given: Partial<MailMessage> = {}): Promise<string> =>
  Mailer.pipe(
    Effect.flatMap((mailer) => Effect.result(mailer.send({ ...message, ...given }))),
    Effect.map((result) => (Result.isSuccess(result) ? "sent" : `${result.failure._tag}: ${result.failure.reason}`)),
    Effect.provide(SmtpMailer.layerOf(Redacted.make(url), from)),
    Effect.runPromise
  )

/** The addresses of a header's mailboxes: what stands in quotes or is encoded is a name. */
const addressesIn = (header: string): ReadonlyArray<string> =>
  header
    .replaceAll(/"(?:\\.|[^"\\])*"/g, "")
    .replaceAll(/=\?[^?]+\?[QB]\?[^?]*\?=/gi, "")
    .match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []

let open: Array<() => Promise<void>>
beforeEach(() => {
  open = []
})
afterEach(() => Promise.all(open.map((stop) => stop())))

const started = async (
  ...wishes: Parameters<typeof startMailServer>
): Promise<MailServer & { readonly url: string }> => {
  const server = await startMailServer(...wishes)
  open.push(server.stop)
  return { ...server, url: `smtp://127.0.0.1:${server.port}` }
}

/** A server of bare bytes; `serve` gets each connection and what it says. */
const bareServer = async (serve: (socket: Socket, said: string) => void) => {
  const sockets = new Set<Socket>()
  let said = ""
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    socket.on("data", (chunk) => {
      said += String(chunk)
      serve(socket, String(chunk))
    })
    serve(socket, "")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  open.push(
    () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `smtp://127.0.0.1:${port}`, connections: () => sockets.size, said: () => said }
}

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
    expect(mail?.raw).toContain("<p>Marked words.</p>")
  })

  it("has one recipient and no header beside ours, whatever stands in its fields", async () => {
    const server = await started()
    const injected = "\r\nBcc: everyone@example.com\r\n\r\nbody"
    await sending(server.url, { subject: `Hello${injected}` })
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
    const path = { path: import.meta.filename } as unknown as string
    expect(await sending(server.url, { text: path })).toMatch(/^MailNotSent: ESTREAM/)
    const page = await bareServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"))
    const href = { href: page.url.replace("smtp", "http") } as unknown as string
    expect(await sending(server.url, { html: href })).toMatch(/^MailNotSent: ESTREAM/)
    expect([page.said(), server.received]).toEqual(["", []])
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

const certificate = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8")
const offeringTls = (name: string) => ({
  disabledCommands: [],
  cert: certificate(`${name}.pem`),
  key: certificate(`${name}.key`)
})

/** Has this process trust the authority of the good certificate while `use` runs. */
const trusting = async (use: () => Promise<void>): Promise<void> => {
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, certificate("authority.pem")])
  try {
    await use()
  } finally {
    setDefaultCACertificates(before)
  }
}

const withPassword = (port: number, scheme = "smtp") => `${scheme}://journeys:pass%20word@127.0.0.1:${port}`

describe("the connection", () => {
  it("is used by no mail when the server's certificate is nobody's, whether TLS comes first or is offered", async () => {
    const offered = await started(offeringTls("selfSigned"))
    expect(await sending(offered.url)).toMatch(/^MailNotSent: (?:ETLS|ESOCKET)/)
    const first = await started({ ...offeringTls("selfSigned"), secure: true })
    expect(await sending(`smtps://127.0.0.1:${first.port}`)).toMatch(/^MailNotSent: (?:ETLS|ESOCKET)/)
    expect([...offered.received, ...first.received]).toEqual([])
  })

  it("is used when the certificate is trusted, and the password then goes over it", async () => {
    const seen: Array<unknown> = []
    const auth = {
      ...offeringTls("good"),
      authOptional: false,
      onAuth: ({ password, username }, session, done) => {
        seen.push([username, password, session.secure])
        done(null, { user: username })
      }
    } satisfies Parameters<typeof startMailServer>[0]
    await trusting(async () => {
      const offered = await started(auth)
      expect(await sending(withPassword(offered.port))).toBe("sent")
      const first = await started({ ...auth, secure: true })
      expect(await sending(withPassword(first.port, "smtps"))).toBe("sent")
      expect([...offered.received, ...first.received].map(({ isSecure }) => isSecure)).toEqual([true, true])
    })
    expect(seen).toEqual([
      ["journeys", "pass word", true],
      ["journeys", "pass word", true]
    ])
  })

  it("never carries a password in the clear, though the server asks for one", async () => {
    const server = await bareServer((socket, said) => {
      if (said === "") socket.write("220 hello\r\n")
      else if (said.startsWith("EHLO")) socket.write("250-hello\r\n250 AUTH PLAIN LOGIN\r\n")
      else socket.write("502 no\r\n")
    })
    const url = server.url.replace("//", "//journeys:password@")
    expect(await sending(url)).toMatch(/^MailNotSent: ETLS/)
    expect(server.said()).not.toMatch(/AUTH|MAIL/)
  })

  it("lets a mail wait when the password is wrong", async () => {
    await trusting(async () => {
      const server = await started({ ...offeringTls("good"), onAuth: (_auth, _session, done) => done(smtpAnswer(535)) })
      expect(await sending(withPassword(server.port))).toMatch(/^MailNotSent: EAUTH 535/)
      expect(server.received).toEqual([])
    })
  })
})
