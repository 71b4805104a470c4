/** What the tests of the SMTP mailer share: a mail, sending it, and mail servers that stop after each test. Not a test itself. */
import { Effect, Redacted, Result } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { afterEach, beforeEach } from "vitest"
import { Mailer, type MailMessage } from "../../../src/actors/mail/Mailer.ts"
import { exampleId } from "../../../src/schema/exampleId.ts"
import * as SmtpMailer from "../../../src/runtime/smtp/SmtpMailer.ts"
import { startMailServer, type MailServer } from "../../support/mailServer.ts"

export const message: MailMessage = {
  mailId: exampleId("mail", 1),
  to: "owner@harbourcars.example",
  email: {
    subject: "Webhooks of Söhne & Co have been turned off",
    paragraphs: ["Plain words.\n.\nAfter a lone dot."]
  },
  onBehalf: null,
  customerKey: null
}
export const from = "Journeys, Ltd <journeys@example.com>"

/** Sends with a mailer of its own and answers with what became of it: "sent", or the failure's tag and reason. */
export const sending = (url: string, given: Partial<MailMessage> = {}): Promise<string> =>
  Mailer.pipe(
    Effect.flatMap((mailer) => Effect.result(mailer.send({ ...message, ...given }))),
    Effect.map((result) => (Result.isSuccess(result) ? "sent" : `${result.failure._tag}: ${result.failure.reason}`)),
    Effect.provide(SmtpMailer.layerOf(Redacted.make(url), from)),
    Effect.runPromise
  )

/** Servers of the tests of one file. */
export const mailServers = () => {
  let open: Array<() => Promise<void>> = []
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

  return { started, bareServer }
}
