/**
 * The whole API as three `HttpApi` values, one for each public: integrators, those who use the settings, and outside providers
 * that call back. Every path is in exactly one of them. The typed clients, the OpenAPI documents and the page at /docs are made
 * from these values, and the groups in them are served. `openApi.ts` finishes a document; as a transformation it is part of the
 * value, so every user of the value gets the finished document.
 */
import { HttpApi, OpenApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { apiVersion } from "../../schema/apiVersion.ts"
import { eventBodies } from "../documents/eventBodies.ts"
import { completed } from "../documents/openApi.ts"
import { about, aboutCallbacks, aboutSettings } from "../documents/prose.ts"
import { callbacks } from "./callbacks/callbacks.ts"
import { eventGroup, journeyGroup, requestGroup, sandboxGroup } from "./integrators.ts"
import { settings } from "./settings.ts"

type Groups = Readonly<Record<string, HttpApiGroup.Constraint>>

/** Every endpoint by its name, which is the id of its operation. */
const byName = (groups: Groups): ReadonlyMap<string, HttpApiEndpoint.Top> =>
  new Map(
    (Object.values(groups) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiGroup.Top>)
      .flatMap(
        (group) => Object.values(group.endpoints) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>
      )
      .map((endpoint) => [endpoint.identifier, endpoint])
  )

const saying = (title: string, description: string, groups: Groups, hasWebhooks = false) =>
  OpenApi.annotations({
    title,
    version: apiVersion,
    description,
    transform: completed({ endpoints: byName(groups), hasWebhooks })
  })

const forIntegrators = HttpApi.make("Journeys").add(journeyGroup, eventGroup, requestGroup, sandboxGroup)
const forSettings = HttpApi.make("Settings").add(settings)
const forProviders = HttpApi.make("Callbacks").add(callbacks)

export const contracts = {
  integrators: forIntegrators
    .annotate(HttpApi.AdditionalSchemas, Object.values(eventBodies))
    .annotateMerge(saying("Journeys API", about, forIntegrators.groups, true)),
  settings: forSettings.annotateMerge(saying("Settings API", aboutSettings, forSettings.groups)),
  callbacks: forProviders.annotateMerge(saying("Provider callbacks", aboutCallbacks, forProviders.groups))
}

export type Public = keyof typeof contracts

/** Where each public finds its document. */
export const openApiPaths = {
  integrators: "/openapi.json",
  settings: "/openapi/settings.json",
  callbacks: "/openapi/callbacks.json"
} as const satisfies Record<Public, `/${string}`>

/** The document of a public. Without an address of the service its paths are relative to the host that serves the document. */
export const openApiFor = (name: Public, baseUrl: string | null): OpenApi.OpenAPISpec => ({
  ...generated[name](),
  servers: [{ url: baseUrl ?? "/", description: baseUrl === null ? "This host" : "This installation" }]
})

const generated: Readonly<Record<Public, () => OpenApi.OpenAPISpec>> = {
  integrators: () => OpenApi.fromApi(contracts.integrators),
  settings: () => OpenApi.fromApi(contracts.settings),
  callbacks: () => OpenApi.fromApi(contracts.callbacks)
}

export const endpointsByName = byName({
  ...forIntegrators.groups,
  ...forSettings.groups,
  ...forProviders.groups
})
