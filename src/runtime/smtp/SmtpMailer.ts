/**
 * Mail through an SMTP server with nodemailer. The server's certificate is always verified; a user and password travel
 * over TLS or not at all; without them TLS is used when the server offers it. Nothing of a mail is logged, and nothing
 * the server says, which repeats addresses: failures are told by code and by the command they answered.
 */
import { createTransport } from "nodemailer"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { Mailer, MailNotSent, MailRefused } from "../../actors/mail/Mailer.ts"
import { mailLimits } from "../../actors/mail/limits.ts"

interface Sender {
  readonly name: string
  readonly address: string
}

/** For a name to be looked up, a connection, and a greeting, each. */
const openedWithinMillis = 10_000
/** A server that says nothing for so long has gone. */
const silenceMillis = 20_000
/** A connection is not kept for longer than this between two mails. */
const idleMillis = 10_000
/** A connection the server closed meanwhile is replaced once; then the mail waits for its next try. */
const replacements = 1

const implicitTls = "smtps:"
const portOf = (url: URL): number => (url.port === "" ? (url.protocol === implicitTls ? 465 : 587) : Number(url.port))

const transportTo = (url: URL) =>
  createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: portOf(url),
    secure: url.protocol === implicitTls,
    ...(url.username === ""
      ? {}
      : {
          auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
          requireTLS: true,
          forceAuth: true
        }),
    tls: { rejectUnauthorized: true, minVersion: "TLSv1.2" },
    pool: true,
    maxConnections: mailLimits.mostInHand,
    maxRequeues: replacements,
    idleTimeout: idleMillis,
    dnsTimeout: openedWithinMillis,
    connectionTimeout: openedWithinMillis,
    greetingTimeout: openedWithinMillis,
    socketTimeout: silenceMillis,
    disableFileAccess: true,
    disableUrlAccess: true
  })

/** MAIL_FROM is an address, or a name and an address. Taken apart here so that no parser can see two senders in it. */
const senderOf = (from: string): Sender => {
  const named = /^(.*) <(.*)>$/.exec(from)
  return { name: named?.[1] ?? "", address: named?.[2] ?? from }
}

/** What nodemailer tells of a failure, as far as it may be repeated. */
interface SmtpFailure {
  readonly code?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
}

/**
 * Refused for good is a mail whose recipient or content gets a 5xx. Any other 5xx is about this installation, such as
 * a wrong password or a sender that is not allowed, and so is 53x wherever it comes: that can be repaired.
 */
const failureOf = (error: unknown): MailRefused | MailNotSent => {
  const { code, command, responseCode } = (typeof error === "object" && error !== null ? error : {}) as SmtpFailure
  const answer = typeof responseCode === "number" ? responseCode : null
  const words = [code, answer, command].filter((word) => typeof word === "string" || typeof word === "number")
  const reason = words.join(" ")
  const isAboutMail = command === "RCPT TO" || command === "DATA"
  const isForGood = answer !== null && answer >= 500 && answer <= 599 && Math.floor(answer / 10) !== 53
  return isAboutMail && isForGood ? new MailRefused({ reason }) : new MailNotSent({ reason })
}

export const layerOf = (smtpUrl: Redacted.Redacted, mailFrom: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const from = senderOf(mailFrom)
      const domain = from.address.slice(from.address.lastIndexOf("@") + 1)
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const made = transportTo(new URL(Redacted.value(smtpUrl)))
          // Failures reach the mail they concern; without a listener an idle connection's would end the process.
          made.on("error", () => {})
          return made
        }),
        (made) => Effect.sync(() => made.close({ force: true }))
      )
      const mailer = Mailer.of({
        send: ({ html, mailId, onBehalf, subject, text, to }) =>
          Effect.tryPromise({
            // The signal closes the connection of a mail that is given up, so that none hangs on a server for ever.
            try: (signal) =>
              transport.sendMail({
                messageId: `<${mailId}@${domain}>`,
                from: onBehalf === null ? from : { name: onBehalf.name, address: from.address },
                ...(onBehalf === null ? {} : { replyTo: { name: "", address: onBehalf.replyTo } }),
                to: { name: "", address: to },
                subject,
                text,
                html,
                xMailer: false,
                headers: { "Auto-Submitted": "auto-generated" },
                signal
              }),
            catch: failureOf
          }).pipe(Effect.asVoid)
      })
      return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, Mailbox.of({ list: null })))
    })
  )
