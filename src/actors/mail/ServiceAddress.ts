/** Where people reach this service, for links in mail; null when it is not known, and a mail then has no link. */
import { Context } from "effect"

export class ServiceAddress extends Context.Service<ServiceAddress, { readonly baseUrl: string | null }>()(
  "journeys/actors/ServiceAddress"
) {}
