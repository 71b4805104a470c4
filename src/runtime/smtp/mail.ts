/** Where mail goes: to the SMTP server of the settings, or into the built-in mailbox. The postman is started here, too. */
import { Effect, Layer } from "effect"
import { IsMailKept } from "../../actors/mail/Mailbox.ts"
import * as Postman from "../../actors/mail/sending/Postman.ts"
import * as BuiltInMailbox from "./BuiltInMailbox.ts"
import { Settings } from "../settings/Settings.ts"
import * as SmtpMailer from "./SmtpMailer.ts"

const mailer = Layer.unwrap(
  Effect.map(Settings, ({ mailFrom, smtpUrl }) =>
    // The settings refuse a server without a sender.
    smtpUrl === undefined || mailFrom === undefined ? BuiltInMailbox.layer : SmtpMailer.layerOf(smtpUrl, mailFrom)
  )
)

/** A mail with a link needs the service's address; while the address is not known, the postman says so and the mail waits. */
export const keeping = Layer.effect(
  IsMailKept,
  Effect.map(Settings, ({ baseUrl, smtpUrl }) => smtpUrl === undefined && baseUrl !== undefined)
)

export const layer = Postman.layer.pipe(Layer.provideMerge(mailer))
