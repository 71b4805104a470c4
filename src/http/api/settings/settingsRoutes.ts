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
  getDeliveryEndpoint,
  getResendEndpoint,
  listDeliveriesEndpoint,
  listResendsEndpoint,
  resendDeliveryEndpoint,
  startResendEndpoint
} from "./deliveryEndpoints.ts"
import { pingEndpoint, sampleEndpoint } from "./pingAndSample.ts"
import type { Operator, ProviderAddresses } from "../../server/operator.ts"
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
const endpoint = `${company}/webhook-endpoints/:mode` as const
const delivery = `${endpoint}/deliveries/:deliveryId` as const

export const unconvertedRoutes: ReadonlyArray<Route<Services>> = [
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
  { method: "GET", path: `${endpoint}/resends/:taskId`, handle: getResendEndpoint }
]
