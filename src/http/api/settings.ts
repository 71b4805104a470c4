/**
 * The settings API: every resource of it in one group, and the routes that serve the group. A resource's endpoints and
 * handlers are in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { OperatorTokenRequired } from "../server/security.ts"
import { served } from "../server/serve.ts"
import { companies } from "./companies.ts"
import { customers } from "./customers.ts"
import { webhookDeliveries } from "./deliveries.ts"
import { keys } from "./keys.ts"
import { mail } from "./mail.ts"
import { pingAndSample } from "./pingAndSample.ts"
import { reviews } from "./reviews.ts"
import { team } from "./team.ts"
import { vehicles } from "./vehicles.ts"
import { wallets } from "./wallets.ts"
import { webhookEndpoints } from "./webhookEndpoints.ts"

export const settings = HttpApiGroup.make("settings", { topLevel: true })
  .add(...companies.endpoints, ...keys.endpoints, ...wallets.endpoints)
  .add(...webhookEndpoints.endpoints, ...pingAndSample.endpoints, ...webhookDeliveries.endpoints)
  .add(...reviews.endpoints, ...team.endpoints, ...vehicles.endpoints, ...customers.endpoints, ...mail.endpoints)
  .middleware(OperatorTokenRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description:
        "For the operator of this installation: companies, their API keys, wallets and webhook endpoints, and what their team does. Every change is in the audit log."
    })
  )

export const settingsRoutes = served(settings, {
  ...companies.handlers,
  ...keys.handlers,
  ...wallets.handlers,
  ...webhookEndpoints.handlers,
  ...pingAndSample.handlers,
  ...webhookDeliveries.handlers,
  ...reviews.handlers,
  ...team.handlers,
  ...vehicles.handlers,
  ...customers.handlers,
  ...mail.handlers
})
