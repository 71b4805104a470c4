/**
 * Words a customer's mail that went straight into the built-in mailbox, when somebody reads the mailbox (`IsMailKept`). Null: the mail
 * cannot be shown, because its customer was erased, its address has ended, or it has no journey.
 */
import { Effect, Schema } from "effect"
import { CustomerMail } from "../../../schema/mail/mailKinds.ts"
import { makeCustomerMailWriter, withheldFrom } from "./customerMailWriter.ts"
import type { UnreadMail } from "../MailStore.ts"
import { Recipients } from "../Recipients.ts"

const readMail = Schema.decodeUnknownEffect(CustomerMail)

export const makeUnreadMailWriter = Effect.gen(function* () {
  const recipients = yield* Recipients
  const { worded } = yield* makeCustomerMailWriter

  return Effect.fnUntraced(function* ({ company, createdAt, facts, id, kind }: UnreadMail) {
    const context = yield* recipients.find(id)
    if (context === null || context.customer === null) return null
    if (withheldFrom({ company, id }, context.journey, context.customer) !== null) return null
    const mail = yield* readMail({ kind, facts })
    return yield* worded({ company, id }, mail, context.journey, context.customer, createdAt)
  })
})
