/**
 * The port to erasures in the store. An erasure is a task that survives the node that began it: each step can be done again,
 * and unfinished tasks can be found. Times are epoch milliseconds.
 */
import { Context, type Effect } from "effect"
import type { Scope } from "../kernel/Scope.ts"
import type { Erasure } from "../../schema/erasure/Erasure.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { JourneyId } from "../../schema/ids.ts"

type Customer = Pick<Erasure, "companyId" | "customerId">
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class Erasures extends Context.Service<
  Erasures,
  {
    /** The task, begun now or before; null when the company has no such customer. */
    readonly begin: (customer: Customer, line: AuditLine) => Writing<Erasure | null>
    /** The task and the customer's journeys, some of them; null when nobody asked for it. */
    readonly find: (customer: Customer) => Effect.Effect<
      {
        readonly erasure: Erasure
        /** The id of the customer's key (`DataKey`). */
        readonly keyId: string | null
        readonly journeys: ReadonlyArray<JourneyId>
      } | null,
      StoreUnavailable
    >
    /** Journeys of the customer that have not ended. */
    readonly running: (
      customer: Customer
    ) => Effect.Effect<ReadonlyArray<{ readonly journeyId: JourneyId; readonly scope: Scope }>, StoreUnavailable>
    /** Deletes the key first, then every sealed row; both are gone when it answers. */
    readonly shred: (customer: Customer, at: number) => Writing<Erasure>
    readonly finish: (customer: Customer, at: number) => Writing<Erasure>
    /** Of the tasks whose rows are still there, or were removed before `settledBefore`, the oldest, at most so many. */
    readonly unfinished: (
      settledBefore: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
  }
>()("journeys/actors/Erasures") {}
