/**
 * The settings API: every resource of it in one group, and the routes that serve the group. A resource's endpoints and
 * handlers are in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ofDeliveries, ofWebhookEndpoints } from "../documents/webhookContract.ts"
import { OperatorTokenRequired } from "../server/security.ts"
import { served } from "../server/serve.ts"
import { companies } from "./companies.ts"
import { customers } from "./customers.ts"
import { keys } from "./keys.ts"
import { mail } from "./mail.ts"
import { reviews } from "./reviews.ts"
import { unconvertedRoutes } from "./settings/settingsRoutes.ts"
import { team } from "./team.ts"
import { vehicles } from "./vehicles.ts"
import { wallets } from "./wallets.ts"

export const settings = HttpApiGroup.make("settings", { topLevel: true })
  .add(...companies.endpoints, ...keys.endpoints, ...wallets.endpoints, ...ofWebhookEndpoints, ...ofDeliveries)
  .add(...reviews.endpoints, ...team.endpoints, ...vehicles.endpoints, ...customers.endpoints, ...mail.endpoints)
  .middleware(OperatorTokenRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description:
        "For the operator of this installation: companies, their API keys, wallets and webhook endpoints, and what their team does. Every change is in the audit log."
    })
  )

export const settingsRoutes = [
  ...unconvertedRoutes,
  ...served(settings, {
    ...companies.handlers,
    ...keys.handlers,
    ...wallets.handlers,
    ...reviews.handlers,
    ...team.handlers,
    ...vehicles.handlers,
    ...customers.handlers,
    ...mail.handlers
  })
]
