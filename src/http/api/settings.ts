/**
 * The settings API: every resource of it in one group, and the routes that serve the group. A resource's endpoints and
 * handlers are in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorTokenRequired } from "../server/security.ts"
import { served } from "../server/serve.ts"
import { caseMediaOperations } from "./caseMedia.ts"
import { auditOperations } from "./audit.ts"
import { caseOperations } from "./cases.ts"
import { companyOperations } from "./companies.ts"
import { customerOperations } from "./customers.ts"
import { customerSessionOperations } from "./customerSessions.ts"
import { deliveryOperations } from "./deliveries.ts"
import { encryptionOperations } from "./encryption.ts"
import { journeyActionOperations } from "./journeyActions.ts"
import { failingEndpointOperations } from "./failingEndpoints.ts"
import { installationOperations } from "./installation.ts"
import { handoverOperations } from "./handovers.ts"
import { journeyListOperations } from "./journeyList.ts"
import { keyOperations } from "./keys.ts"
import { mailOperations } from "./mail.ts"
import { mailStandingOperations } from "./mailStandings.ts"
import { memberOperations } from "./members.ts"
import { memberSessionOperations } from "./memberSessions.ts"
import { monthOperations } from "./months.ts"
import { operatorTokenOperations } from "./operatorTokens.ts"
import { pingAndSample } from "./pingAndSample.ts"
import { receiverCheckOperations } from "./receiverCheck.ts"
import { companyRequestOperations } from "./requestLog.ts"
import { reviewLookOperations } from "./reviewLook.ts"
import { reviewMediaOperations } from "./reviewMedia.ts"
import { reviewOperations } from "./reviews.ts"
import { setAsideOperations } from "./setAsideJourneys.ts"
import { teamOperations } from "./team.ts"
import { testCaseOperations } from "./testCases.ts"
import { overviewOperations } from "./overview.ts"
import { companyClockOperations } from "./companyClocks.ts"
import { testJourneyOperations } from "./testJourneys.ts"
import { vehicleOperations } from "./vehicles.ts"
import { waitingOperations } from "./waitingJourneys.ts"
import { walletOperations } from "./wallets.ts"
import { webhookEndpointOperations } from "./webhookEndpoints.ts"
import { webhookStatistics } from "./webhookStatistics.ts"

export const settings = HttpApiGroup.make("settings", { topLevel: true })
  .add(...companyOperations.endpoints, ...keyOperations.endpoints, ...walletOperations.endpoints)
  .add(...auditOperations.endpoints, ...overviewOperations.endpoints, ...testJourneyOperations.endpoints)
  .add(...companyClockOperations.endpoints, ...companyRequestOperations.endpoints)
  .add(...webhookEndpointOperations.endpoints, ...pingAndSample.endpoints, ...deliveryOperations.endpoints)
  .add(
    ...webhookStatistics.endpoints,
    ...receiverCheckOperations.endpoints,
    ...reviewOperations.endpoints,
    ...reviewLookOperations.endpoints,
    ...reviewMediaOperations.endpoints,
    ...teamOperations.endpoints,
    ...journeyActionOperations.endpoints,
    ...journeyListOperations.endpoints,
    ...caseOperations.endpoints,
    ...caseMediaOperations.endpoints,
    ...handoverOperations.endpoints,
    ...vehicleOperations.endpoints,
    ...customerOperations.endpoints,
    ...customerSessionOperations.endpoints,
    ...mailOperations.endpoints,
    ...mailStandingOperations.endpoints
  )
  .add(...memberOperations.endpoints, ...memberSessionOperations.endpoints)
  .add(
    ...waitingOperations.endpoints,
    ...setAsideOperations.endpoints,
    ...testCaseOperations.endpoints,
    ...failingEndpointOperations.endpoints,
    ...installationOperations.endpoints,
    ...encryptionOperations.endpoints,
    ...monthOperations.endpoints,
    ...operatorTokenOperations.endpoints
  )
  .middleware(OperatorTokenRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description:
        "For the operator of this installation and for members of companies who are signed in to the console: companies, their API keys, wallets and webhook endpoints, and what their team does. Every change is in the audit log."
    })
  )

export const settingsRoutes = served(settings, {
  ...companyOperations.handlers,
  ...auditOperations.handlers,
  ...overviewOperations.handlers,
  ...testJourneyOperations.handlers,
  ...companyClockOperations.handlers,
  ...companyRequestOperations.handlers,
  ...keyOperations.handlers,
  ...walletOperations.handlers,
  ...webhookEndpointOperations.handlers,
  ...pingAndSample.handlers,
  ...deliveryOperations.handlers,
  ...webhookStatistics.handlers,
  ...receiverCheckOperations.handlers,
  ...reviewOperations.handlers,
  ...reviewLookOperations.handlers,
  ...reviewMediaOperations.handlers,
  ...teamOperations.handlers,
  ...journeyActionOperations.handlers,
  ...journeyListOperations.handlers,
  ...caseOperations.handlers,
  ...caseMediaOperations.handlers,
  ...handoverOperations.handlers,
  ...vehicleOperations.handlers,
  ...customerOperations.handlers,
  ...customerSessionOperations.handlers,
  ...mailOperations.handlers,
  ...mailStandingOperations.handlers,
  ...waitingOperations.handlers,
  ...setAsideOperations.handlers,
  ...testCaseOperations.handlers,
  ...failingEndpointOperations.handlers,
  ...installationOperations.handlers,
  ...encryptionOperations.handlers,
  ...monthOperations.handlers,
  ...operatorTokenOperations.handlers,
  ...memberOperations.handlers,
  ...memberSessionOperations.handlers
})
