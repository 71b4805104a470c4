/** The address of the service as a command on a page names it: the one that is set, else the one that the browser has asked. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"

export const addressShown = ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) =>
  Effect.map(ServiceAddress, ({ baseUrl }) => baseUrl ?? `http://${request.headers["host"] ?? ""}`)
