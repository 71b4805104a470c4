/**
 * The port to what a mail about a journey is written from: where the journey stands now, and of its customer just what
 * the mail needs, opened with the customer's own key. It is looked up when a mail is sent and kept nowhere.
 */
import { Context, type Effect } from "effect"
import type { Journey } from "../journey/rules/Journey.ts"
import type { JourneyUnreadable, StoreUnavailable, Unopenable } from "../kernel/StoreError.ts"
import type { DataKey } from "../kernel/Vault.ts"

export interface Customer {
  readonly email: string
  readonly firstName: string
  readonly registration: string
  /** The selling company, when the caller named another. */
  readonly seller: string | null
  readonly key: DataKey
}

export interface Matter {
  readonly journey: Journey
  /** Null when the customer was erased. */
  readonly customer: Customer | null
  /** A later mail asks for the same: what this one has to say is out of date. */
  readonly isSuperseded: boolean
}

export class Recipients extends Context.Service<
  Recipients,
  {
    /** Null for a mail that is about no journey there is. */
    readonly find: (mailId: string) => Effect.Effect<Matter | null, StoreUnavailable | JourneyUnreadable | Unopenable>
  }
>()("journeys/mail/Recipients") {}
