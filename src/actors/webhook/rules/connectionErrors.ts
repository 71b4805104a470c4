/**
 * Why no connection to an endpoint was opened, as errors that the code can tell apart. `classification.ts` says which class of
 * the delivery log each error belongs to.
 */
import { Data } from "effect"

/** An address of the host is not on the public internet. */
export class AddressNotPublic extends Data.TaggedError("AddressNotPublic")<{
  readonly host: string
  readonly address: string
}> {}

/** The host has no address that is known. UNAVAILABLE: no name server answers this service at all, for any host. */
export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly reason: "NOT_FOUND" | "NO_ANSWER" | "UNAVAILABLE"
}> {}
