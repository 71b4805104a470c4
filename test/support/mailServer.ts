/** A real SMTP server for tests. It keeps the mail that it is given, and answers as the test wants. */
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export interface ReceivedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** The message as it came over the line, with headers unfolded. */
  readonly raw: string
  readonly header: (name: string) => string | undefined
  readonly isSecure: boolean
}

/** An answer of SMTP that refuses, for now or for good. */
export const smtpAnswer = (responseCode: number, message = "said the test"): Error =>
  Object.assign(new Error(message), { responseCode })

export interface MailServer {
  readonly port: number
  /** Everything that arrived whole, whether or not it was then accepted. */
  readonly received: ReadonlyArray<ReceivedMail>
  readonly connections: () => number
  readonly stop: () => Promise<void>
}

interface Wishes extends SMTPServerOptions {
  /**
   * Refuses a mail that has arrived whole. An error refuses it and null accepts it; the server answers after the
   * callback.
   */
  readonly judge?: (mail: ReceivedMail) => Error | null | Promise<Error | null>
}

const mailOf = (raw: string, from: string, to: ReadonlyArray<string>, isSecure: boolean): ReceivedMail => {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, "")
  const header = (name: string) =>
    head
      .split("\r\n")
      .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim()
  return { from, to, raw: head + raw.slice(end), header, isSecure }
}

/** Plain SMTP on a free port unless the wishes say otherwise. STARTTLS is not offered. */
export const startMailServer = async ({ judge = () => null, ...options }: Wishes = {}): Promise<MailServer> => {
  const received: Array<ReceivedMail> = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    authOptional: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const kept = async (raw: string) => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = mailOf(
          raw,
          mailFrom === false ? "" : mailFrom.address,
          rcptTo.map(({ address }) => address),
          session.secure
        )
        received.push(mail)
        done(await judge(mail))
      }
      // A mail that broke off did not arrive.
      void text(stream).then(kept, () => {})
    },
    ...options
  })
  // Some tests are about clients that go away in the middle.
  server.on("error", () => {})
  const listening = server.listen(0, "127.0.0.1")
  await once(listening, "listening")
  const address = listening.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    received,
    connections: () => server.connections.size,
    stop: () => new Promise((done) => server.close(done))
  }
}
