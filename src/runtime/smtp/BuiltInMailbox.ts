/**
 * The mailbox that keeps mail while no SMTP server is set. Each mail is kept sealed, to be read through the settings API; a
 * keyed index of its address finds it again. A mail about a customer is sealed with the customer's key and cannot be read
 * once that key is erased. What a mail says is kept, as it was true when the mail left; its plain and its HTML part are made
 * when somebody reads it, because most of this mail is never read. Mail that went straight into the mailbox (`IsMailKept`) is written
 * and kept by the first who reads it. Who may read the mailbox is decided elsewhere.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Vault, type DataKey } from "../../actors/kernel/Vault.ts"
import { mailLimits } from "../../actors/mail/limits.ts"
import { Mailbox } from "../../actors/mail/Mailbox.ts"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { Mailer, MailNotSent, type MailMessage } from "../../actors/mail/Mailer.ts"
import { MailStore, type KeptMail, type UnreadMail } from "../../actors/mail/MailStore.ts"
import { makeUnreadMailWriter } from "../../actors/mail/writers/unreadMailWriter.ts"
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

/** Damaged rows hide no other mail. */
const leftOut = (mailId: MailId, cause: unknown) =>
  Effect.as(Effect.logError("A mail in the built-in mailbox cannot be written", { mailId }, cause), null)

const placeOf = (mailId: MailId): string => `mails|${mailId}`

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* MailStore
    const vault = yield* Vault
    const write = yield* makeUnreadMailWriter
    const indexOf = (address: string) => vault.index("email", address.toLowerCase())

    const sealed = (key: DataKey | null, place: string, text: string): Uint8Array =>
      key === null ? vault.sealSecret(place, text) : key.seal(place, text)

    const keep = ({ customerKey, email, mailId: id, to }: MailMessage) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const content = encode({ to, email })
        return store.kept({ id, toIndex: indexOf(to), sealed: sealed(customerKey, placeOf(id), content), at })
      })

    const mailer = Mailer.of({
      send: (message) => Effect.mapError(keep(message), ({ _tag }) => new MailNotSent({ reason: _tag }))
    })

    const textOf = ({ id, sealed, wrappedKey }: KeptMail) =>
      wrappedKey === null
        ? vault.openSecret(placeOf(id), sealed)
        : Effect.flatMap(vault.keyOf(wrappedKey), (key) => key.open(placeOf(id), sealed))

    // The service checks its key at the start, and the place belongs to this mail: a mail that does not open is damaged.
    const opened = (kept: KeptMail) => Effect.orDie(Effect.flatMap(textOf(kept), decode))

    /** Kept before it is shown: whoever reads it next reads the same. Of two who read it first, each sees a link that works. */
    const written = Effect.fnUntraced(
      function* (unread: UnreadMail) {
        const message = yield* write(unread)
        if (message !== null) yield* keep(message)
        return message
      },
      (writing, { id }) =>
        writing.pipe(
          Effect.catchTag(["JourneyUnreadable", "SchemaError", "Unopenable"], (cause) => leftOut(id, cause)),
          Effect.mapError((cause) => new StoreUnavailable({ cause }))
        )
    )

    const shown = Effect.fnUntraced(function* (mail: KeptMail | UnreadMail) {
      const read = mail.sealed === null ? yield* written(mail) : yield* opened(mail)
      if (read === null) return null
      const content = "email" in read ? { to: read.to, ...contentOf(read.email) } : read
      const { companyId, createdAt, id, journeyId, kind } = mail
      return { id, kind, companyId, journeyId, ...content, createdAt: timestamp(createdAt) }
    })

    const mailbox = Mailbox.of({
      list: (query) =>
        Effect.gen(function* () {
          const toIndex = query.to === null ? null : indexOf(query.to)
          const { content, ...total } = yield* store.list({ ...query, toIndex })
          const all = yield* Effect.forEach(content, shown, { concurrency: mailLimits.mostKeptAtOnce })
          return { content: all.filter((mail) => mail !== null), ...total }
        })
    })

    return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, mailbox))
  })
)
