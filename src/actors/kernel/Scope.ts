/** Whose rows a caller may see: the rows of one company in one mode (§2.4). How a scope is found is each surface's business. */
import type { CompanyId } from "../../schema/ids.ts"
export interface Scope {
  readonly companyId: CompanyId
  readonly livemode: boolean
}
