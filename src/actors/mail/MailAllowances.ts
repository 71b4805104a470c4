/**
 * The port that counts what one address gets: so many customer mails an hour and a day, over all companies, modes of asking
 * and nodes (decision M9). An address is known by its keyed hash. Mail to a company's own people is not counted, and neither
 * is mail of test journeys, which goes to them.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

export interface AddressAllowance {
  /** Whether the mail may leave now. It then counts, once however often it is tried. */
  readonly isAdmitted: boolean
  /** When the mails that count left last, in epoch milliseconds. */
  readonly counted: ReadonlyArray<number>
}

export class MailAllowances extends Context.Service<
  MailAllowances,
  {
    /** Null: the mail's address is not counted. Two nodes that ask at once do not both get the last place. */
    readonly admit: (
      mailId: string,
      now: number
    ) => Effect.Effect<AddressAllowance | null, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/MailAllowances") {}
