/**
 * The settings API: every resource of it in one group, and the routes that serve the group. A resource's endpoints and
 * handlers are in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorTokenRequired } from "../server/endpoints/security.ts"
import { served } from "../server/endpoints/serve.ts"
import { caseMediaOperations } from "./team/caseMedia.ts"
import { auditOperations } from "./company/audit.ts"
import { caseOperations } from "./team/cases.ts"
import { companyOperations } from "./company/companies.ts"
import { customerOperations } from "./team/customers.ts"
import { customerSessionOperations } from "./team/customerSessions.ts"
import { deliveryOperations } from "./webhooks/deliveries.ts"
import { encryptionOperations } from "./installation/encryption.ts"
import { journeyActionOperations } from "./actions/journeyActions.ts"
import { failingEndpointOperations } from "./installation/failingEndpoints.ts"
import { installationOperations } from "./installation/installation.ts"
import { handoverOperations } from "./team/handovers.ts"
import { journeyListOperations } from "./team/journeyList.ts"
import { keyOperations } from "./company/keys.ts"
import { mailOperations } from "./company/mail.ts"
import { mailStandingOperations } from "./installation/mailStandings.ts"
import { memberOperations } from "./company/members.ts"
import { memberSessionOperations } from "./company/memberSessions.ts"
import { monthOperations } from "./installation/months.ts"
import { operatorTokenOperations } from "./installation/operatorTokens.ts"
import { pingAndSample } from "./webhooks/pingAndSample.ts"
import { receiverCheckOperations } from "./webhooks/receiverCheck.ts"
import { companyRequestOperations } from "./journeys/requestLog.ts"
import { reviewLookOperations } from "./team/reviewLook.ts"
import { reviewMediaOperations } from "./team/reviewMedia.ts"
import { reviewOperations } from "./team/reviews.ts"
import { setAsideOperations } from "./installation/setAsideJourneys.ts"
import { teamOperations } from "./team/team.ts"
import { testCaseOperations } from "./team/testCases.ts"
import { overviewOperations } from "./company/overview.ts"
import { companyClockOperations } from "./team/companyClocks.ts"
import { testJourneyOperations } from "./team/testJourneys.ts"
import { vehicleOperations } from "./company/vehicles.ts"
import { waitingOperations } from "./installation/waitingJourneys.ts"
import { walletOperations } from "./company/wallets.ts"
import { webhookEndpointOperations } from "./webhooks/webhookEndpoints.ts"
import { webhookStatistics } from "./webhooks/webhookStatistics.ts"

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
