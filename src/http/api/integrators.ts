/**
 * The API for integrators (§4): its groups, and the routes that serve them. The endpoints and handlers of a resource are
 * in the resource's own file.
 */
import { Duration } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { requestLogLimits } from "../../schema/company/limits.ts"
import { inWords } from "../documents/durations.ts"
import { ApiKeyRequired } from "../server/endpoints/security.ts"
import { served } from "../server/endpoints/serve.ts"
import { callerActionOperations } from "./actions/callerActions.ts"
import { eventOperations } from "./journeys/events.ts"
import { journeyOperations } from "./journeys/journeys.ts"
import { customerFaceOperations } from "./journeys/replaceCustomerFace.ts"
import { requestOperations } from "./journeys/requestLog.ts"
import { sandboxOperations } from "./journeys/sandbox.ts"
import { startOperations } from "./start/startJourney.ts"
import { validateOperations } from "./start/validateStart.ts"
import { clockOperations } from "./journeys/testClocks.ts"

export const journeyGroup = HttpApiGroup.make("journeys", { topLevel: true })
  .add(
    ...startOperations.endpoints,
    ...validateOperations.endpoints,
    ...journeyOperations.endpoints,
    ...callerActionOperations.endpoints,
    ...customerFaceOperations.endpoints
  )
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Journeys",
      description: "Start journeys, follow them, and tell them what you decided."
    })
  )

export const eventGroup = HttpApiGroup.make("events", { topLevel: true })
  .add(...eventOperations.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description:
        "What webhooks deliver, to be read instead or as well: follow events from where no endpoint can be reached, or look for one that was missed."
    })
  )

export const requestGroup = HttpApiGroup.make("requests", { topLevel: true })
  .add(...requestOperations.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Requests",
      description: `What was asked with your keys and what came of it, for ${inWords(Duration.toMillis(requestLogLimits.keptFor))}, without bodies and values.`
    })
  )

export const sandboxGroup = HttpApiGroup.make("sandbox", { topLevel: true })
  .add(...sandboxOperations.endpoints, ...clockOperations.endpoints)
  .middleware(ApiKeyRequired)
  .annotateMerge(
    OpenApi.annotations({
      title: "Sandbox",
      description: "With a test key the same API runs journeys that advance by themselves. These operations steer them."
    })
  )

export const integratorRoutes = [
  ...served(journeyGroup, {
    ...startOperations.handlers,
    ...validateOperations.handlers,
    ...journeyOperations.handlers,
    ...callerActionOperations.handlers,
    ...customerFaceOperations.handlers
  }),
  ...served(eventGroup, eventOperations.handlers),
  ...served(requestGroup, requestOperations.handlers),
  ...served(sandboxGroup, { ...sandboxOperations.handlers, ...clockOperations.handlers })
]
