/** The port that looks up the addresses of a host. Whether an address may be connected to is decided in `reachable.ts`. */
import { Context, type Effect } from "effect"
import type { ResolveFailed } from "../rules/connectionErrors.ts"

export class Resolver extends Context.Service<
  Resolver,
  {
    /** Every address of the host, IPv4 first, at least one. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>, ResolveFailed>
  }
>()("journeys/actors/Resolver") {}
