/**
 * The whole API as one `HttpApi` value. The typed client, the OpenAPI document and the page at /docs are made from it, and
 * the groups in it are served. `openApi.ts` finishes the document; as a transformation it is part of the value, so every
 * user of the value gets the finished document.
 */
import { HttpApi, OpenApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { apiVersion } from "../../schema/apiVersion.ts"
import { eventBodies } from "../documents/eventBodies.ts"
import { callbacks } from "./callbacks.ts"
import { eventGroup, journeyGroup, sandboxGroup } from "./integrators.ts"
import { completed } from "../documents/openApi.ts"
import { about } from "../documents/prose.ts"
import { settings } from "./settings.ts"

const api = HttpApi.make("Journeys").add(journeyGroup, eventGroup, sandboxGroup, settings, callbacks)

/** Every endpoint by its name, which is the id of its operation. */
export const endpointsByName = new Map(
  (Object.values(api.groups) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiGroup.Top>)
    .flatMap((group) => Object.values(group.endpoints) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>)
    .map((endpoint) => [endpoint.identifier, endpoint])
)

export const contract = api.annotate(HttpApi.AdditionalSchemas, Object.values(eventBodies)).annotateMerge(
  OpenApi.annotations({
    title: "Journeys API",
    version: apiVersion,
    description: about,
    servers: [{ url: "/", description: "This host" }],
    transform: completed(endpointsByName)
  })
)
