/**
 * The settings API: every resource of it in one group, and the routes that serve the group. A resource's endpoints and
 * handlers are in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ofCompanies, ofKeys, ofMail, ofWallets } from "../documents/settingsContract.ts"
import { ofCustomers, ofReviews, ofTeamSteps } from "../documents/teamContract.ts"
import { ofDeliveries, ofWebhookEndpoints } from "../documents/webhookContract.ts"
import { OperatorTokenRequired } from "../server/security.ts"
import { served } from "../server/serve.ts"
import { unconvertedRoutes } from "./settings/settingsRoutes.ts"
import { vehicles } from "./vehicles.ts"

export const settings = HttpApiGroup.make("settings", { topLevel: true })
  .add(...ofCompanies, ...ofKeys, ...ofWallets, ...ofWebhookEndpoints, ...ofDeliveries)
  .add(...ofReviews, ...ofTeamSteps, ...vehicles.endpoints, ...ofCustomers, ...ofMail)
  .middleware(OperatorTokenRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description:
        "For the operator of this installation: companies, their API keys, wallets and webhook endpoints, and what their team does. Every change is in the audit log."
    })
  )

export const settingsRoutes = [...unconvertedRoutes, ...served(settings, { ...vehicles.handlers })]
