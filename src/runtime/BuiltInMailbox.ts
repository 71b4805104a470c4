/**
 * Where mail goes while no SMTP server is set: nowhere. Each mail is kept, sealed, to be looked at through the settings
 * API; its address is found again by a keyed index.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { timestamp } from "../actors/company/resources.ts"
import { Vault } from "../actors/journey/Vault.ts"
import { Mailbox } from "../actors/mail/Mailbox.ts"
import { Mailer, MailNotSent } from "../actors/mail/Mailer.ts"
import { MailStore, type KeptMail } from "../actors/mail/MailStore.ts"
import { MailResource } from "../schema/mail.ts"

const { html, subject, text, to } = MailResource.fields
const Sealed = Schema.fromJsonString(Schema.Struct({ to, subject, text, html }))
const encode = Schema.encodeSync(Sealed)
const decode = Schema.decodeEffect(Sealed)

const placeOf = (mailId: string): string => `mails|${mailId}`

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* MailStore
    const vault = yield* Vault
    const indexOf = (address: string) => vault.index("email", address.toLowerCase())

    const mailer = Mailer.of({
      send: ({ mailId, ...mail }) =>
        store
          .kept(mailId, indexOf(mail.to), vault.sealSecret(placeOf(mailId), encode(mail)))
          .pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: _tag })))
    })

    const opened = Effect.fnUntraced(function* ({ createdAt, sealed, ...mail }: KeptMail) {
      // The key is checked at the start and the place is the mail's own: what does not open is damaged.
      const content = yield* Effect.orDie(Effect.flatMap(vault.openSecret(placeOf(mail.id), sealed), decode))
      return { ...mail, ...content, createdAt: timestamp(createdAt) }
    })

    const mailbox = Mailbox.of({
      list: ({ to: address, ...query }) =>
        Effect.gen(function* () {
          const toIndex = address === null ? null : indexOf(address)
          const { content, totalElements } = yield* store.list({ ...query, toIndex })
          return { content: yield* Effect.forEach(content, opened), totalElements }
        })
    })

    return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, mailbox))
  })
)
