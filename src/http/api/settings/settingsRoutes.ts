/** The endpoints of the settings API that are not yet served from the HttpApi value, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { AuditLog } from "../../../actors/company/AuditLog.ts"
import type { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import type { CustomerErasure } from "../../../actors/erasure/CustomerErasure.ts"
import type { Keyring } from "../../../actors/company/Keyring.ts"
import type { Stock } from "../../../actors/company/Stock.ts"
import type { WalletStore } from "../../../actors/company/WalletStore.ts"
import type { CustomerLinks } from "../../../actors/customer/CustomerLinks.ts"
import type { Videos } from "../../../actors/checks/Videos.ts"
import type { Ids } from "../../../actors/kernel/Ids.ts"
import type { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import type { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Vault } from "../../../actors/kernel/Vault.ts"
import type { Mailbox } from "../../../actors/mail/Mailbox.ts"
import type { ReviewPictures } from "../../../actors/review/ReviewPictures.ts"
import type { ReviewQueue } from "../../../actors/review/ReviewQueue.ts"
import type { Timeline } from "../../../actors/review/Timeline.ts"
import type { DeliveryLog } from "../../../actors/webhook/actor/DeliveryLog.ts"
import type { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import type { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import type { Resolver } from "../../../actors/webhook/actor/Resolver.ts"
import type { Route } from "../../server/answering.ts"
import type { RateLimiter } from "../../server/RateLimiter.ts"
import {
  createKeyEndpoint,
  listKeysEndpoint,
  patchKeyEndpoint,
  revokeKeyEndpoint,
  rotateKeyEndpoint
} from "./apiKeyEndpoints.ts"
import {
  auditEndpoint,
  createCompanyEndpoint,
  getCompanyEndpoint,
  listCompaniesEndpoint,
  patchCompanyEndpoint
} from "./companyEndpoints.ts"
import {
  getDeliveryEndpoint,
  getResendEndpoint,
  listDeliveriesEndpoint,
  listResendsEndpoint,
  resendDeliveryEndpoint,
  startResendEndpoint
} from "./deliveryEndpoints.ts"
import { pingEndpoint, sampleEndpoint } from "./pingAndSample.ts"
import { eraseCustomerEndpoint } from "./erasureEndpoint.ts"
import { listMailEndpoint } from "./mailEndpoint.ts"
import type { Operator, ProviderAddresses } from "../../server/operator.ts"
import {
  decideReviewEndpoint,
  getPictureEndpoint,
  getReviewEndpoint,
  getVideoEndpoint,
  listReviewsEndpoint
} from "./reviewEndpoints.ts"
import { cancelHandoverEndpoint, resendCheckEndpoint, resendLinkEndpoint } from "./teamStepEndpoints.ts"
import { timelineEndpoint } from "./timelineEndpoint.ts"
import { creditEndpoint, ledgerEndpoint, listWalletsEndpoint } from "./walletEndpoints.ts"
import { getEndpoint, removeEndpoint, rollSecretEndpoint, saveEndpoint } from "./webhookEndpoints.ts"

type Services =
  | AuditLog
  | CompanyStore
  | CustomerErasure
  | CustomerLinks
  | DeliveryLog
  | EndpointMailbox
  | EndpointStore
  | HttpRouter.RouteContext
  | Ids
  | JourneyMailbox
  | JourneyStore
  | Keyring
  | Mailbox
  | Operator
  | ProviderAddresses
  | RateLimiter
  | Resolver
  | ReviewPictures
  | ReviewQueue
  | Stock
  | Timeline
  | Vault
  | Videos
  | WalletStore

const companies = "/settings/v1/companies"
const company = `${companies}/:companyId` as const
const keys = `${company}/api-keys` as const
const key = `${keys}/:keyId` as const
const wallets = `${company}/wallets` as const
const endpoint = `${company}/webhook-endpoints/:mode` as const
const delivery = `${endpoint}/deliveries/:deliveryId` as const
const review = `${company}/reviews/:reviewId` as const
const journey = `${company}/journeys/:journeyId` as const

export const unconvertedRoutes: ReadonlyArray<Route<Services>> = [
  { method: "POST", path: companies, handle: createCompanyEndpoint },
  { method: "GET", path: companies, handle: listCompaniesEndpoint },
  { method: "GET", path: company, handle: getCompanyEndpoint },
  { method: "PATCH", path: company, handle: patchCompanyEndpoint },
  { method: "POST", path: keys, handle: createKeyEndpoint },
  { method: "GET", path: keys, handle: listKeysEndpoint },
  { method: "PATCH", path: key, handle: patchKeyEndpoint },
  { method: "DELETE", path: key, handle: revokeKeyEndpoint },
  { method: "POST", path: `${key}/rotate`, handle: rotateKeyEndpoint },
  { method: "GET", path: wallets, handle: listWalletsEndpoint },
  { method: "POST", path: `${wallets}/:wallet/credits`, handle: creditEndpoint },
  { method: "GET", path: `${wallets}/:wallet/ledger`, handle: ledgerEndpoint },
  { method: "PUT", path: endpoint, handle: saveEndpoint },
  { method: "GET", path: endpoint, handle: getEndpoint },
  { method: "DELETE", path: endpoint, handle: removeEndpoint },
  { method: "POST", path: `${endpoint}/roll-secret`, handle: rollSecretEndpoint },
  { method: "POST", path: `${endpoint}/ping`, handle: pingEndpoint },
  { method: "POST", path: `${endpoint}/sample`, handle: sampleEndpoint },
  { method: "GET", path: `${endpoint}/deliveries`, handle: listDeliveriesEndpoint },
  { method: "GET", path: delivery, handle: getDeliveryEndpoint },
  { method: "POST", path: `${delivery}/resend`, handle: resendDeliveryEndpoint },
  { method: "POST", path: `${endpoint}/resend`, handle: startResendEndpoint },
  { method: "GET", path: `${endpoint}/resends`, handle: listResendsEndpoint },
  { method: "GET", path: `${endpoint}/resends/:taskId`, handle: getResendEndpoint },
  { method: "GET", path: `${company}/audit`, handle: auditEndpoint },
  { method: "GET", path: `${company}/reviews`, handle: listReviewsEndpoint },
  { method: "GET", path: review, handle: getReviewEndpoint },
  { method: "GET", path: `${review}/pictures/:name`, handle: getPictureEndpoint },
  { method: "GET", path: `${review}/video`, handle: getVideoEndpoint },
  { method: "POST", path: `${review}/decision`, handle: decideReviewEndpoint },
  { method: "POST", path: `${journey}/resend-check`, handle: resendCheckEndpoint },
  { method: "POST", path: `${journey}/resend-link`, handle: resendLinkEndpoint },
  { method: "POST", path: `${journey}/cancel-handover`, handle: cancelHandoverEndpoint },
  { method: "GET", path: `${journey}/timeline`, handle: timelineEndpoint },
  { method: "DELETE", path: `${company}/customers/:customerReference`, handle: eraseCustomerEndpoint },
  { method: "GET", path: "/settings/v1/mail", handle: listMailEndpoint }
]
