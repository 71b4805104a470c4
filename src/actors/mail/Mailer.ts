/**
 * The port through which a finished mail leaves the service. It tries once and says what became of it; when to try
 * again is its caller's business. Neither failure holds anything of the mail or of what the other side answered, for
 * answers repeat addresses and both are logged.
 */
import { Context, Data, type Effect } from "effect"
import type { DataKey } from "../kernel/Vault.ts"

export interface MailMessage {
  /** The mail's own id: the same at every try, so that whoever gets it twice can tell. */
  readonly mailId: string
  readonly to: string
  /** In whose name it is sent, and who gets the answers; null: the service's own, as its settings say. */
  readonly onBehalf: { readonly name: string; readonly replyTo: string } | null
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Seals a mail that is kept instead of sent, so that it ends with its customer; null: it is about nobody. */
  readonly customerKey: DataKey | null
}

/** Refused for good: this mail to this address will never be taken. */
export class MailRefused extends Data.TaggedError("MailRefused")<{ readonly reason: string }> {}

/** Not handed over now, or nobody knows: a later try may do better, or bring it a second time. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (message: MailMessage) => Effect.Effect<void, MailRefused | MailNotSent> }
>()("journeys/actors/Mailer") {}
