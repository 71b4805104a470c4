/** All routes of the console, under /console. Each page brings its own routes; a new page is a line here. */
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { Route, ServicesOf } from "../server/answers/answering.ts"
import { consoleAssetRoutes } from "./frame/assets.ts"
import { caseRoutes } from "./cases/case.ts"
import { caseMediaRoutes } from "./cases/caseMedia.ts"
import { auditRoutes } from "./company/audit.ts"
import { companyRoutes } from "./company/company.ts"
import { handoverRoutes } from "./handovers/handovers.ts"
import { deliveryRoutes } from "./webhooks/deliveries.ts"
import { endpointRoutes } from "./webhooks/endpoint.ts"
import { endpointChangeRoutes } from "./webhooks/endpointChanges.ts"
import { receiverCheckRoutes } from "./webhooks/receiverCheck.ts"
import { correctionRoutes } from "./journeys/correction.ts"
import { erasureRoutes } from "./journeys/erasure.ts"
import { journeyRoutes } from "./journeys/journeyRoutes.ts"
import { keyRoutes } from "./keys/key.ts"
import { keysRoutes } from "./keys/keys.ts"
import { journeyListRoutes } from "./journeys/journeyList.ts"
import { operatorRoutes } from "./operator/operatorRoutes.ts"
import { overviewRoutes } from "./overview/overview.ts"
import { resendRoutes } from "./webhooks/resendProgress.ts"
import { memberCompanyRoutes } from "./signIn/memberCompanies.ts"
import { firstPasskeyRoutes } from "./signIn/firstPasskey.ts"
import { showPasskeyRoutes } from "./signIn/showPasskey.ts"
import { signInRoutesOfConsole } from "./signIn/signIn.ts"
import { signInLinkRoutes } from "./signIn/signInLink.ts"
import { requestRoutes } from "./requests/requests.ts"
import { reviewRoutes } from "./reviews/review.ts"
import { reviewNowRoutes } from "./reviews/reviewNow.ts"
import { reviewsRoutes } from "./reviews/reviews.ts"
import { sessionEndRoutesOfConsole } from "./signIn/sessionEnd.ts"
import { signOutRoutes } from "./signIn/signOut.ts"
import { teamRoutes } from "./team/team.ts"
import { teamSignInRoutes } from "./team/teamSignIns.ts"
import { vehicleRoutes } from "./company/vehicles.ts"
import { walletRoutes } from "./company/wallets.ts"
import { webhooksRoutes } from "./webhooks/webhooks.ts"

/** The pages and forms, without the files that browsers keep. */
export const pagesOfConsole = [
  ...overviewRoutes,
  ...journeyRoutes,
  ...correctionRoutes,
  ...erasureRoutes,
  ...operatorRoutes,
  ...reviewsRoutes,
  ...reviewRoutes,
  ...reviewNowRoutes,
  ...caseRoutes,
  ...caseMediaRoutes,
  ...auditRoutes,
  ...companyRoutes,
  ...handoverRoutes,
  ...journeyListRoutes,
  ...signInRoutesOfConsole,
  ...signInLinkRoutes,
  ...firstPasskeyRoutes,
  ...showPasskeyRoutes,
  ...memberCompanyRoutes,
  ...sessionEndRoutesOfConsole,
  ...signOutRoutes,
  ...teamRoutes,
  ...teamSignInRoutes,
  ...vehicleRoutes,
  ...walletRoutes,
  ...keysRoutes,
  ...keyRoutes,
  ...requestRoutes,
  ...webhooksRoutes,
  ...endpointRoutes,
  ...endpointChangeRoutes,
  ...receiverCheckRoutes,
  ...deliveryRoutes,
  ...resendRoutes
] as const

type Needed = ServicesOf<typeof pagesOfConsole>

export const consoleRoutes: ReadonlyArray<Route<Needed | ServiceAddress>> = [
  ...pagesOfConsole,
  ...consoleAssetRoutes
].map(
  // The list has lost which handler needs which service; together the handlers need all of them.
  ({ handle, method, path }) => ({ method, path, handle: handle as Route<Needed>["handle"] })
)
