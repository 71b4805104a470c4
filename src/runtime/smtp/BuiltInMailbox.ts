/**
 * The mailbox that keeps mail while no SMTP server is set. Each mail is kept sealed, to be read through the settings API; a
 * keyed index of its address finds it again. A mail about a customer is sealed with the customer's key and cannot be read
 * once that key is erased. What a mail says is kept, as it was true when the mail left; its plain and its HTML part are made
 * when somebody reads it, because most of this mail is never read. Who may read the mailbox is decided elsewhere.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Vault, type DataKey } from "../../actors/kernel/Vault.ts"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { Mailer, MailNotSent } from "../../actors/mail/Mailer.ts"
import { MailStore, type KeptMail } from "../../actors/mail/MailStore.ts"
import { Email } from "../../actors/mail/wording/Email.ts"
import { contentOf } from "../../actors/mail/wording/emailContent.ts"
import type { MailId } from "../../schema/ids.ts"
import { MailResource } from "../../schema/mail/MailResource.ts"
import { timestamp } from "../../schema/moment.ts"

const { html, subject, text, to } = MailResource.fields
const Kept = Schema.Struct({ to, email: Email })
/** Older versions of the service kept the parts. */
const KeptInParts = Schema.Struct({ to, subject, text, html })
const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Union([Kept, KeptInParts])))
const encode = (kept: typeof Kept.Type): string => JSON.stringify(kept)

const placeOf = (mailId: MailId): string => `mails|${mailId}`

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* MailStore
    const vault = yield* Vault
    const indexOf = (address: string) => vault.index("email", address.toLowerCase())

    const sealed = (key: DataKey | null, place: string, text: string): Uint8Array =>
      key === null ? vault.sealSecret(place, text) : key.seal(place, text)

    const mailer = Mailer.of({
      send: ({ customerKey, email, mailId: id, to }) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          const content = encode({ to, email })
          return store.kept({ id, toIndex: indexOf(to), sealed: sealed(customerKey, placeOf(id), content), at })
        }).pipe(Effect.mapError(({ _tag }) => new MailNotSent({ reason: _tag })))
    })

    const textOf = ({ id, sealed, wrappedKey }: KeptMail) =>
      wrappedKey === null
        ? vault.openSecret(placeOf(id), sealed)
        : Effect.flatMap(vault.keyOf(wrappedKey), (key) => key.open(placeOf(id), sealed))

    const opened = Effect.fnUntraced(function* (kept: KeptMail) {
      // The service checks its key at the start, and the place belongs to this mail: a mail that does not open is damaged.
      const read = yield* Effect.orDie(Effect.flatMap(textOf(kept), decode))
      const content = "email" in read ? { to: read.to, ...contentOf(read.email) } : read
      const { companyId, createdAt, id, journeyId, kind } = kept
      return { id, kind, companyId, journeyId, ...content, createdAt: timestamp(createdAt) }
    })

    const mailbox = Mailbox.of({
      list: ({ to: address, ...query }) =>
        Effect.gen(function* () {
          const toIndex = address === null ? null : indexOf(address)
          const { content, ...total } = yield* store.list({ ...query, toIndex })
          return { content: yield* Effect.forEach(content, opened), ...total }
        })
    })

    return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, mailbox))
  })
)
