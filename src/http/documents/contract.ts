/**
 * The whole API as one value without handlers: the typed client, the OpenAPI document and the page at /docs are made
 * from it. What Effect's generator cannot say is added by `openApi.ts`, a transformation of its output, so that every
 * user of the value gets the finished document.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { apiVersion } from "../../schema/apiVersion.ts"
import { eventBodies } from "./eventBodies.ts"
import { callbacks } from "./callbackContract.ts"
import { events } from "./eventContract.ts"
import { journeys, sandbox } from "./journeyContract.ts"
import { completed } from "./openApi.ts"
import { about } from "./prose.ts"
import { settings } from "./settingsContract.ts"

export const contract = HttpApi.make("Journeys")
  .add(journeys, events, sandbox, settings, callbacks)
  .annotate(HttpApi.AdditionalSchemas, Object.values(eventBodies))
  .annotateMerge(
    OpenApi.annotations({
      title: "Journeys API",
      version: apiVersion,
      description: about,
      servers: [{ url: "/", description: "This host" }],
      transform: completed
    })
  )
