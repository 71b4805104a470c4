/** The port to a customer's photo for journeys that are started to be tried out. The service checks the photo like any other. */
import { Context, type Effect } from "effect"

export class SamplePhoto extends Context.Service<SamplePhoto, { readonly jpeg: Effect.Effect<Uint8Array> }>()(
  "journeys/actors/SamplePhoto"
) {}
