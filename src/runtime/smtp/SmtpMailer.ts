/**
 * Sends mail through an SMTP server with nodemailer. The server's certificate is always verified. A user and a password
 * travel over TLS or not at all; without them TLS is used if the server offers it. The log holds nothing of a mail and
 * nothing that the server says, because servers repeat addresses: a failure is named by its code and by the command that
 * the server answered. When a mail is tried again is not decided here.
 */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { Mailer, MailNotSent, MailRefused } from "../../actors/mail/Mailer.ts"
import { mailLimits } from "../../actors/mail/limits.ts"
import { contentOf } from "../../actors/mail/wording/emailContent.ts"
import { smtpLimits } from "./limits.ts"

interface Sender {
  readonly name: string
  readonly address: string
}

const openWithin = Duration.toMillis(smtpLimits.openWithin)

const implicitTls = "smtps:"
const portOf = (url: URL): number => (url.port === "" ? (url.protocol === implicitTls ? 465 : 587) : Number(url.port))

/** Loaded by whoever sends mail: an installation without SMTP_URL, and most commands, never do. */
const nodemailer = Effect.promise(() => import("nodemailer"))

const transportTo = ({ createTransport }: Effect.Success<typeof nodemailer>, url: URL) =>
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
    maxRequeues: smtpLimits.replacements,
    idleTimeout: Duration.toMillis(smtpLimits.idle),
    dnsTimeout: openWithin,
    connectionTimeout: openWithin,
    greetingTimeout: openWithin,
    socketTimeout: Duration.toMillis(smtpLimits.silence),
    disableFileAccess: true,
    disableUrlAccess: true
  })

/** MAIL_FROM is an address, or a name and an address. It is taken apart here, so that no parser can read two senders in it. */
const senderOf = (from: string): Sender => {
  const named = /^(.*) <(.*)>$/.exec(from)
  return { name: named?.[1] ?? "", address: named?.[2] ?? from }
}

/**
 * Mail programs decode what reads as an encoded word (RFC 2047) in a header, and nodemailer sends text of ASCII as it is: a name could
 * hold a link that nobody sees before it is decoded. With a character in it that draws nothing, the text is encoded as a whole.
 */
const inHeader = (text: string): string => text.replaceAll("=?", "=\u200c?")

/** What nodemailer says about a failure, as far as the log may repeat it. */
interface SmtpFailure {
  readonly code?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
}

/**
 * A mail is refused for good when its recipient or its content gets a 5xx. Any other 5xx is about this installation, for
 * example a wrong password or a sender that is not allowed, and so is a 53x wherever it comes: an operator can repair that,
 * so the mail is tried again.
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

const openTransport = (smtpUrl: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.map(nodemailer, (library) => {
      const made = transportTo(library, new URL(Redacted.value(smtpUrl)))
      // Failures reach the mail that they concern. Without a listener, the failure of an idle connection would end the process.
      made.on("error", () => {})
      return made
    }),
    (made) => Effect.sync(() => made.close({ force: true }))
  )

/** Connects and signs in, and sends nothing. */
export const tryMailServer = (smtpUrl: Redacted.Redacted): Effect.Effect<void, MailRefused | MailNotSent> =>
  openTransport(smtpUrl).pipe(
    Effect.flatMap((transport) => Effect.tryPromise({ try: () => transport.verify(), catch: failureOf })),
    Effect.asVoid,
    Effect.scoped
  )

export const layerOf = (smtpUrl: Redacted.Redacted, mailFrom: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const from = senderOf(mailFrom)
      const domain = from.address.slice(from.address.lastIndexOf("@") + 1)
      const transport = yield* openTransport(smtpUrl)
      const mailer = Mailer.of({
        send: ({ email, mailId, onBehalf, to }) =>
          Effect.tryPromise({
            // The signal closes the connection of an abandoned try, so that no connection hangs on a silent server for ever.
            try: (signal) => {
              const content = contentOf(email)
              return transport.sendMail({
                ...content,
                subject: inHeader(content.subject),
                messageId: `<${mailId}@${domain}>`,
                from: onBehalf === null ? from : { name: inHeader(onBehalf.name), address: from.address },
                ...(onBehalf === null ? {} : { replyTo: { name: "", address: onBehalf.replyTo } }),
                to: { name: "", address: to },
                xMailer: false,
                headers: { "Auto-Submitted": "auto-generated" },
                signal
              })
            },
            catch: failureOf
          }).pipe(Effect.asVoid)
      })
      return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, Mailbox.of({ list: null })))
    })
  )
