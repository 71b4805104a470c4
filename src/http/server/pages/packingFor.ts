/** How a body is packed on its way: a client says what it can unpack (RFC 9110, 12.5.3). */
import type { HttpServerRequest } from "effect/http"

/** The first of `packings` that the client takes; `q=0` refuses one. */
export const packingFor = <Packing extends string>(
  { headers }: HttpServerRequest.HttpServerRequest,
  packings: ReadonlyArray<Packing>
): Packing | undefined => {
  const choices = (headers["accept-encoding"] ?? "").toLowerCase().split(",")
  const taken = new Set(choices.flatMap((one) => (/;\s*q=0(?:\.0*)?\s*$/.test(one) ? [] : [one.split(";")[0]?.trim()])))
  return packings.find((packing) => taken.has(packing))
}
