/**
 * Whether a URL leads to the public internet, judged when it is saved: every address of its host must be public. Names
 * change where they lead, so the sender judges again at every connection and holds on to what it judged.
 */
import { Data, Effect } from "effect"
import { isIP } from "node:net"
import { isPublicAddress } from "../../../schema/webhook/publicAddress.ts"
import { type ResolveFailed, Resolver } from "./Resolver.ts"

/** No connection was opened: this address of the host is not on the public internet. */
export class AddressNotPublic extends Data.TaggedError("AddressNotPublic")<{
  readonly host: string
  readonly address: string
}> {}

/** The addresses of a host, an address being its own; one that is not public refuses them all. */
export const publicAddresses = Effect.fn("reachable.publicAddresses")(function* (
  host: string
): Effect.fn.Return<ReadonlyArray<string>, ResolveFailed | AddressNotPublic, Resolver> {
  const bare = host.replace(/^\[|\]$/g, "")
  const addresses = isIP(bare) === 0 ? yield* (yield* Resolver).resolve(bare) : [bare]
  const address = addresses.find((each) => !isPublicAddress(each))
  return address === undefined ? addresses : yield* new AddressNotPublic({ host, address })
})

/** What is wrong with where this URL leads, or null. Fails only when nothing can be looked up at all. */
export const judgeReachable = (url: string): Effect.Effect<string | null, ResolveFailed, Resolver> =>
  publicAddresses(new URL(url).hostname).pipe(
    Effect.as(null),
    Effect.catchTags({
      AddressNotPublic: () => Effect.succeed("must not lead to an address that is not on the public internet"),
      ResolveFailed: (failed) =>
        failed.reason === "UNAVAILABLE"
          ? Effect.fail(failed)
          : Effect.succeed(
              failed.reason === "NOT_FOUND"
                ? "must have a host that the domain name system has an address for"
                : "must have a host whose name servers answer"
            )
    })
  )
