/** The routes of the operator's pages, under /console/operator. To a member none of these pages is there. */
import { operatorCompaniesRoutes } from "./companies.ts"
import { operatorCompanyRoutes } from "./company.ts"
import { operatorEndpointsRoutes } from "./endpoints.ts"
import { operatorMailboxRoutes } from "./mailbox.ts"
import { operatorOverviewRoutes } from "./overview.ts"
import { operatorRunnersRoutes } from "./runners.ts"
import { operatorSetAsideRoutes } from "./setAside.ts"
import { operatorSignInRoutes } from "./signIn.ts"
import { operatorTokensRoutes } from "./tokens.ts"
import { operatorWaitingRoutes } from "./waiting.ts"

export const operatorRoutes = [
  ...operatorSignInRoutes,
  ...operatorOverviewRoutes,
  ...operatorCompaniesRoutes,
  ...operatorCompanyRoutes,
  ...operatorWaitingRoutes,
  ...operatorSetAsideRoutes,
  ...operatorEndpointsRoutes,
  ...operatorRunnersRoutes,
  ...operatorMailboxRoutes,
  ...operatorTokensRoutes
] as const
