/** The address at which people reach this service, for links. Null: the address is not known, and mail with a link waits. */
import { Context } from "effect"

export class ServiceAddress extends Context.Service<ServiceAddress, { readonly baseUrl: string | null }>()(
  "journeys/actors/ServiceAddress"
) {}
