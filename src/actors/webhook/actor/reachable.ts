/**
 * Whether a URL leads to the public internet: every address of its host must be public. The settings ask when a URL is
 * saved. A name can lead elsewhere later, so the sender asks again at every connection and connects to the very address that
 * was judged.
 */
import { Effect } from "effect"
import { isIP } from "node:net"
import { isPublicAddress } from "../../../schema/webhook/publicAddress.ts"
import { AddressNotPublic, type ResolveFailed } from "../rules/connectionErrors.ts"
import { Resolver } from "./Resolver.ts"

/** A URL's host without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, "")

/** The addresses of a host. A host that is an address has that one. One address that is not public refuses them all. */
export const publicAddresses = Effect.fn("reachable.publicAddresses")(function* (
  host: string
): Effect.fn.Return<ReadonlyArray<string>, ResolveFailed | AddressNotPublic, Resolver> {
  const bare = bareHost(host)
  const addresses = isIP(bare) === 0 ? yield* (yield* Resolver).resolve(bare) : [bare]
  const address = addresses.find((each) => !isPublicAddress(each))
  return address === undefined ? addresses : yield* new AddressNotPublic({ host, address })
})

/** What is wrong with the place that this URL leads to, or null. Fails only when no host can be looked up at all. */
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
