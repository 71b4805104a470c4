/**
 * The API for integrators (§4): its groups, and the routes that serve them. The endpoints and handlers of a resource are
 * in the resource's own file.
 */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiKeyRequired } from "../server/security.ts"
import { served } from "../server/serve.ts"
import { events } from "./events.ts"
import { journeys } from "./journeys.ts"
import { customerFace } from "./replaceCustomerFace.ts"
import { sandbox } from "./sandbox.ts"
import { starts } from "./startJourney.ts"

export const journeyGroup = HttpApiGroup.make("journeys", { topLevel: true })
  .add(...starts.endpoints, ...journeys.endpoints, ...customerFace.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Journeys",
      description: "Start journeys, follow them, and tell them what you decided."
    })
  )

export const eventGroup = HttpApiGroup.make("events", { topLevel: true })
  .add(...events.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description:
        "What webhooks deliver, to be read instead or as well: follow events from where no endpoint can be reached, or look for one that was missed."
    })
  )

export const sandboxGroup = HttpApiGroup.make("sandbox", { topLevel: true })
  .add(...sandbox.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Sandbox",
      description: "With a test key the same API runs journeys that advance by themselves. These operations steer them."
    })
  )

export const integratorRoutes = [
  ...served(journeyGroup, { ...starts.handlers, ...journeys.handlers, ...customerFace.handlers }),
  ...served(eventGroup, events.handlers),
  ...served(sandboxGroup, sandbox.handlers)
]
