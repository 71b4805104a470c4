/**
 * The port to the demo companies of a service that somebody tries out on their own machine. There it is safe to show the
 * built-in mailbox and to start a journey without a key; anywhere else there is no demo, and the home page shows neither.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import type { CompanyKind } from "../../schema/company/Company.ts"
import type { CompanyId } from "../../schema/ids.ts"
import type { Shape } from "../../schema/journey/statuses.ts"

export interface DemoCompany {
  readonly id: CompanyId
  readonly name: string
  readonly kind: CompanyKind
  /** The address of the first owner. */
  readonly adminEmail: string
}

export interface DemoInUse {
  readonly companies: ReadonlyArray<DemoCompany>
  /** Starts the example of this shape as a test journey of the demo dealer; false when that cannot be done now. */
  readonly start: (shape: Shape) => Effect.Effect<boolean, StoreUnavailable>
}

export class LocalDemo extends Context.Service<
  LocalDemo,
  {
    /** Null: the service is not on somebody's own machine, or has no demo companies. */
    readonly inUse: Effect.Effect<DemoInUse | null>
  }
>()("journeys/http/LocalDemo") {}
