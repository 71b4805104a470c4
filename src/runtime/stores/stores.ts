/**
 * Every store of the service as one layer. What a store keeps, and by which statements, stands in its own file, in the folder that is
 * named as the folder of `src/actors` whose port the store implements; `kernel` has what several of these folders share.
 */
import { Layer } from "effect"
import * as PostgresAuditLog from "./company/PostgresAuditLog.ts"
import * as PostgresCaseFiles from "./review/PostgresCaseFiles.ts"
import * as PostgresBiometrics from "./checks/PostgresBiometrics.ts"
import * as PostgresClockWork from "./clock/PostgresClockWork.ts"
import * as PostgresCompanyOverview from "./company/PostgresCompanyOverview.ts"
import * as PostgresCompanyStore from "./company/PostgresCompanyStore.ts"
import * as PostgresConsoleLinks from "./members/PostgresConsoleLinks.ts"
import * as PostgresConsoleSessions from "./members/PostgresConsoleSessions.ts"
import * as PostgresCustomerCorrections from "./customer/PostgresCustomerCorrections.ts"
import * as PostgresCustomerDetails from "./customer/PostgresCustomerDetails.ts"
import * as PostgresCustomerLanguage from "./customer/PostgresCustomerLanguage.ts"
import * as PostgresCustomerNames from "./customer/PostgresCustomerNames.ts"
import * as PostgresCustomerLinks from "./customer/PostgresCustomerLinks.ts"
import * as PostgresDeliveryLog from "./webhook/PostgresDeliveryLog.ts"
import * as PostgresDeliveryStore from "./webhook/PostgresDeliveryStore.ts"
import * as PostgresEndpointStore from "./webhook/PostgresEndpointStore.ts"
import * as PostgresErasures from "./erasure/PostgresErasures.ts"
import * as PostgresEventsOfJourney from "./review/PostgresEventsOfJourney.ts"
import * as PostgresEventStore from "./webhook/PostgresEventStore.ts"
import * as PostgresFailingEndpoints from "./installation/PostgresFailingEndpoints.ts"
import * as PostgresHandovers from "./handover/PostgresHandovers.ts"
import * as PostgresIdentityChecks from "./checks/PostgresIdentityChecks.ts"
import * as PostgresJourneyList from "./journey/PostgresJourneyList.ts"
import * as PostgresJourneyMarks from "./review/PostgresJourneyMarks.ts"
import * as PostgresJourneyStore from "./journey/PostgresJourneyStore.ts"
import * as PostgresKeyring from "./company/PostgresKeyring.ts"
import * as PostgresLogos from "./company/PostgresLogos.ts"
import * as PostgresMailAllowances from "./mail/PostgresMailAllowances.ts"
import * as PostgresMailStandings from "./mail/PostgresMailStandings.ts"
import * as PostgresMailStore from "./mail/PostgresMailStore.ts"
import * as PostgresMonthList from "./installation/PostgresMonthList.ts"
import * as PostgresOperatorTokens from "./installation/PostgresOperatorTokens.ts"
import * as PostgresOpenWork from "./installation/PostgresOpenWork.ts"
import * as PostgresMembers from "./members/PostgresMembers.ts"
import * as PostgresPasskeys from "./members/PostgresPasskeys.ts"
import * as PostgresPersonalRecords from "./customer/PostgresPersonalRecords.ts"
import * as PostgresProviderResults from "./checks/PostgresProviderResults.ts"
import * as PostgresProviderRequests from "./effects/PostgresProviderRequests.ts"
import * as PostgresRecipients from "./mail/PostgresRecipients.ts"
import * as PostgresReferenceFace from "./checks/PostgresReferenceFace.ts"
import * as PostgresRequestLog from "./company/PostgresRequestLog.ts"
import * as PostgresReviewLooks from "./review/PostgresReviewLooks.ts"
import * as PostgresReviewPictures from "./review/PostgresReviewPictures.ts"
import * as PostgresReviewQueue from "./review/PostgresReviewQueue.ts"
import * as PostgresSentForms from "./members/PostgresSentForms.ts"
import * as PostgresSessions from "./customer/PostgresSessions.ts"
import * as PostgresSetAsideJourneys from "./installation/PostgresSetAsideJourneys.ts"
import * as PostgresSignInLinks from "./customer/PostgresSignInLinks.ts"
import * as PostgresStock from "./company/PostgresStock.ts"
import * as PostgresTestClocks from "./clock/PostgresTestClocks.ts"
import * as PostgresTestCases from "./installation/PostgresTestCases.ts"
import * as PostgresUndeliveredMails from "./review/PostgresUndeliveredMails.ts"
import * as PostgresTimeline from "./review/PostgresTimeline.ts"
import * as PostgresUploads from "./checks/PostgresUploads.ts"
import * as PostgresKeptPhotos from "./checks/PostgresKeptPhotos.ts"
import * as PostgresVideoChallenges from "./checks/PostgresVideoChallenges.ts"
import * as PostgresVideoFrames from "./checks/PostgresVideoFrames.ts"
import * as PostgresVideos from "./checks/PostgresVideos.ts"
import * as PostgresWaitingJourneys from "./installation/PostgresWaitingJourneys.ts"
import * as PostgresWalletStore from "./company/PostgresWalletStore.ts"

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
  PostgresReviewLooks.layer,
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
  PostgresUndeliveredMails.layer,
  Layer.provideMerge(PostgresVideoFrames.layer, PostgresVideos.layer),
  PostgresVideoChallenges.layer,
  PostgresUploads.layer,
  PostgresKeptPhotos.layer,
  PostgresWaitingJourneys.layer,
  PostgresWalletStore.layer
)
