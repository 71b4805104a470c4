/** All routes of the console, under /console. Each page brings its own routes; a new page is a line here. */
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Route, ServicesOf } from "../server/answering.ts"
import { httpsOnly } from "../server/httpsOnly.ts"
import { consoleAssetRoutes } from "./assets.ts"
import { caseRoutes } from "./case.ts"
import { caseMediaRoutes } from "./caseMedia.ts"
import { auditRoutes } from "./audit.ts"
import { companyRoutes } from "./company.ts"
import { handoverRoutes } from "./handovers.ts"
import { deliveryRoutes } from "./deliveries.ts"
import { endpointRoutes } from "./endpoint.ts"
import { endpointChangeRoutes } from "./endpointChanges.ts"
import { journeyRoutes } from "./journeyRoutes.ts"
import { keyRoutes } from "./key.ts"
import { keysRoutes } from "./keys.ts"
import { journeyListRoutes } from "./journeyList.ts"
import { operatorRoutes } from "./operator/operatorRoutes.ts"
import { overviewRoutes } from "./overview.ts"
import { resendRoutes } from "./resendProgress.ts"
import { memberCompanyRoutes } from "./memberCompanies.ts"
import { showPasskeyRoutes } from "./showPasskey.ts"
import { signInRoutesOfConsole } from "./signIn.ts"
import { signInLinkRoutes } from "./signInLink.ts"
import { reviewRoutes } from "./review.ts"
import { reviewsRoutes } from "./reviews.ts"
import { signOutRoutes } from "./signOut.ts"
import { teamRoutes } from "./team.ts"
import { teamSignInRoutes } from "./teamSignIns.ts"
import { vehicleRoutes } from "./vehicles.ts"
import { walletRoutes } from "./wallets.ts"
import { webhooksRoutes } from "./webhooks.ts"

/** The pages and forms, without the files that browsers keep. */
export const pagesOfConsole = [
  ...overviewRoutes,
  ...journeyRoutes,
  ...operatorRoutes,
  ...reviewsRoutes,
  ...reviewRoutes,
  ...caseRoutes,
  ...caseMediaRoutes,
  ...auditRoutes,
  ...companyRoutes,
  ...handoverRoutes,
  ...journeyListRoutes,
  ...signInRoutesOfConsole,
  ...signInLinkRoutes,
  ...showPasskeyRoutes,
  ...memberCompanyRoutes,
  ...signOutRoutes,
  ...teamRoutes,
  ...teamSignInRoutes,
  ...vehicleRoutes,
  ...walletRoutes,
  ...keysRoutes,
  ...keyRoutes,
  ...webhooksRoutes,
  ...endpointRoutes,
  ...endpointChangeRoutes,
  ...deliveryRoutes,
  ...resendRoutes
] as const

type Needed = ServicesOf<typeof pagesOfConsole>

export const consoleRoutes: ReadonlyArray<Route<Needed | ServiceAddress>> = [
  ...pagesOfConsole,
  ...consoleAssetRoutes
].map(
  // The list has lost which handler needs which service; together the handlers need all of them.
  ({ handle, method, path }) => ({ method, path, handle: httpsOnly(handle as Route<Needed>["handle"]) })
)
