/** What comes of wording a mail that is due. */
import type { MailMessage } from "./Mailer.ts"

/** The mail does not leave now: it is looked at again at `until`. */
export interface WaitingMail {
  readonly _tag: "Waits"
  readonly until: number
  readonly why: string
}

export type WrittenMail =
  | { readonly _tag: "Message"; readonly message: MailMessage; readonly isTest: boolean }
  | WaitingMail
  /** The mail must not go to the address on file. The team is told, as of any mail to a customer that does not arrive. */
  | { readonly _tag: "Undeliverable"; readonly reason: string }
  /** Nothing is sent; `reason` is for the log. */
  | { readonly _tag: "OutOfDate"; readonly reason: string }

export const outOfDate = (reason: string): WrittenMail => ({ _tag: "OutOfDate", reason })

export const waits = (until: number, why: string): WaitingMail => ({ _tag: "Waits", until, why })
