/** The port that looks up the addresses of a host. Whether they may be connected to is for `publicAddress.ts` to say. */
import { Context, Data, type Effect } from "effect"

/** UNAVAILABLE: no name server answers us at all, whatever the host. The others are about this host. */
export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly reason: "NOT_FOUND" | "NO_ANSWER" | "UNAVAILABLE"
}> {}

export class Resolver extends Context.Service<
  Resolver,
  {
    /** Every address of the host, IPv4 first, at least one. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>, ResolveFailed>
  }
>()("journeys/actors/Resolver") {}
