/** Every store of the service as one layer. What a store keeps, and by which statements, stands in its own file. */
import { Layer } from "effect"
import * as PostgresAuditLog from "./PostgresAuditLog.ts"
import * as PostgresCaseFiles from "./PostgresCaseFiles.ts"
import * as PostgresBiometrics from "./PostgresBiometrics.ts"
import * as PostgresClockWork from "./PostgresClockWork.ts"
import * as PostgresCompanyOverview from "./PostgresCompanyOverview.ts"
import * as PostgresCompanyStore from "./PostgresCompanyStore.ts"
import * as PostgresConsoleLinks from "./PostgresConsoleLinks.ts"
import * as PostgresConsoleSessions from "./PostgresConsoleSessions.ts"
import * as PostgresCustomerCorrections from "./PostgresCustomerCorrections.ts"
import * as PostgresCustomerDetails from "./PostgresCustomerDetails.ts"
import * as PostgresCustomerLanguage from "./PostgresCustomerLanguage.ts"
import * as PostgresCustomerNames from "./PostgresCustomerNames.ts"
import * as PostgresCustomerLinks from "./PostgresCustomerLinks.ts"
import * as PostgresDeliveryLog from "./PostgresDeliveryLog.ts"
import * as PostgresDeliveryStore from "./PostgresDeliveryStore.ts"
import * as PostgresEndpointStore from "./PostgresEndpointStore.ts"
import * as PostgresErasures from "./PostgresErasures.ts"
import * as PostgresEventsOfJourney from "./PostgresEventsOfJourney.ts"
import * as PostgresEventStore from "./PostgresEventStore.ts"
import * as PostgresFailingEndpoints from "./PostgresFailingEndpoints.ts"
import * as PostgresHandovers from "./PostgresHandovers.ts"
import * as PostgresIdentityChecks from "./PostgresIdentityChecks.ts"
import * as PostgresJourneyList from "./PostgresJourneyList.ts"
import * as PostgresJourneyMarks from "./PostgresJourneyMarks.ts"
import * as PostgresJourneyStore from "./PostgresJourneyStore.ts"
import * as PostgresKeyring from "./PostgresKeyring.ts"
import * as PostgresLogos from "./PostgresLogos.ts"
import * as PostgresMailAllowances from "./PostgresMailAllowances.ts"
import * as PostgresMailStandings from "./PostgresMailStandings.ts"
import * as PostgresMailStore from "./PostgresMailStore.ts"
import * as PostgresMonthList from "./PostgresMonthList.ts"
import * as PostgresOperatorTokens from "./PostgresOperatorTokens.ts"
import * as PostgresOpenWork from "./PostgresOpenWork.ts"
import * as PostgresMembers from "./PostgresMembers.ts"
import * as PostgresPasskeys from "./PostgresPasskeys.ts"
import * as PostgresPersonalRecords from "./PostgresPersonalRecords.ts"
import * as PostgresProviderResults from "./PostgresProviderResults.ts"
import * as PostgresProviderRequests from "./PostgresProviderRequests.ts"
import * as PostgresRecipients from "./PostgresRecipients.ts"
import * as PostgresReferenceFace from "./PostgresReferenceFace.ts"
import * as PostgresRequestLog from "./PostgresRequestLog.ts"
import * as PostgresReviewPictures from "./PostgresReviewPictures.ts"
import * as PostgresReviewQueue from "./PostgresReviewQueue.ts"
import * as PostgresSentForms from "./PostgresSentForms.ts"
import * as PostgresSessions from "./PostgresSessions.ts"
import * as PostgresSetAsideJourneys from "./PostgresSetAsideJourneys.ts"
import * as PostgresSignInLinks from "./PostgresSignInLinks.ts"
import * as PostgresStock from "./PostgresStock.ts"
import * as PostgresTestClocks from "./PostgresTestClocks.ts"
import * as PostgresTestCases from "./PostgresTestCases.ts"
import * as PostgresTimeline from "./PostgresTimeline.ts"
import * as PostgresUploads from "./PostgresUploads.ts"
import * as PostgresKeptPhotos from "./PostgresKeptPhotos.ts"
import * as PostgresVideoChallenges from "./PostgresVideoChallenges.ts"
import * as PostgresVideoFrames from "./PostgresVideoFrames.ts"
import * as PostgresVideos from "./PostgresVideos.ts"
import * as PostgresWaitingJourneys from "./PostgresWaitingJourneys.ts"
import * as PostgresWalletStore from "./PostgresWalletStore.ts"

export const layer = Layer.mergeAll(
  PostgresAuditLog.layer,
  PostgresCaseFiles.layer,
  PostgresBiometrics.layer,
  PostgresClockWork.layer,
  PostgresCompanyOverview.layer,
  PostgresCompanyStore.layer,
  PostgresConsoleLinks.layer,
  PostgresConsoleSessions.layer,
  PostgresCustomerCorrections.layer,
  PostgresCustomerDetails.layer,
  PostgresCustomerLanguage.layer,
  PostgresCustomerLinks.layer,
  PostgresCustomerNames.layer,
  PostgresDeliveryLog.layer,
  PostgresDeliveryStore.layer,
  PostgresEndpointStore.layer,
  PostgresErasures.layer,
  PostgresEventsOfJourney.layer,
  PostgresEventStore.layer,
  PostgresFailingEndpoints.layer,
  PostgresHandovers.layer,
  PostgresIdentityChecks.layer,
  PostgresJourneyList.layer,
  PostgresJourneyMarks.layer,
  PostgresJourneyStore.layer,
  PostgresKeyring.layer,
  PostgresLogos.layer,
  PostgresMailAllowances.layer,
  PostgresMailStandings.layer,
  PostgresMailStore.layer,
  PostgresMonthList.layer,
  PostgresOpenWork.layer,
  PostgresOperatorTokens.layer,
  PostgresMembers.layer,
  PostgresPasskeys.layer,
  PostgresPersonalRecords.layer,
  PostgresProviderRequests.layer,
  PostgresProviderResults.layer,
  PostgresRecipients.layer,
  PostgresReferenceFace.layer,
  PostgresRequestLog.layer,
  PostgresReviewPictures.layer,
  PostgresReviewQueue.layer,
  PostgresSentForms.layer,
  PostgresSessions.layer,
  PostgresSetAsideJourneys.layer,
  PostgresSignInLinks.layer,
  PostgresStock.layer,
  PostgresTestClocks.layer,
  PostgresTestCases.layer,
  PostgresTimeline.layer,
  Layer.provideMerge(PostgresVideoFrames.layer, PostgresVideos.layer),
  PostgresVideoChallenges.layer,
  PostgresUploads.layer,
  PostgresKeptPhotos.layer,
  PostgresWaitingJourneys.layer,
  PostgresWalletStore.layer
)
