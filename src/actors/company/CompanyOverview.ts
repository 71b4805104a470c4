/** The port to the overview of a company: facts that are read together, by one cheap statement, however much the company has. */
import { Context, type Effect } from "effect"
import type { CompanyId } from "../../schema/ids.ts"
import type { OverviewResource } from "../../schema/company/Overview.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** What no row of the company itself says. */
export type OverviewFacts = Omit<OverviewResource, "firstSteps" | "wallets"> & {
  readonly firstSteps: Omit<OverviewResource["firstSteps"], "identityProvider" | "financePanel" | "credits">
}

export class CompanyOverview extends Context.Service<
  CompanyOverview,
  { readonly read: (companyId: CompanyId) => Effect.Effect<OverviewFacts, StoreUnavailable> }
>()("journeys/actors/CompanyOverview") {}
