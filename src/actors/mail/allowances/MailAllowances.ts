/**
 * The port that says whether a mail to somebody outside may leave now (decision M9). It counts what one address gets in an hour and
 * a day, over all companies, modes of asking and nodes, and what one company has sent. An address is known by its keyed hash. Mail to
 * a company's own people is not counted but for invitations, and neither is mail of test journeys, which goes to them.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { MailId } from "../../../schema/ids.ts"

export interface MailAllowance {
  /** Whether the mail may leave now. It then counts for its address, once however often it is tried. */
  readonly isAdmitted: boolean
  /** When the mails that count for the address left last, in epoch milliseconds. */
  readonly counted: ReadonlyArray<number>
  /** Why the mail waits, whatever its address had. */
  readonly held: MailHold | null
}

/** `Behind`: an earlier mail of its journey is held until then, and mails of a journey leave in order (decision M2). */
export type MailHold = CompanyHold | { readonly _tag: "Behind"; readonly until: number }

/** No mail of the company leaves now. `freeAt`: when the company may send the next mail. Stopped mail leaves when an operator has started it again. */
export type CompanyHold = { readonly _tag: "Stopped" } | { readonly _tag: "Over"; readonly freeAt: number }

export class MailAllowances extends Context.Service<
  MailAllowances,
  {
    /** Null: the mail is not counted. Two nodes that ask at once do not both get the last place of an address. */
    readonly admit: (
      mailId: MailId,
      now: number
    ) => Effect.Effect<MailAllowance | null, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/MailAllowances") {}
