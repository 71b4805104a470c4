/**
 * The Request-Id of the request that is being answered. The journal keeps it beside each message, so that a message is found
 * by what its caller was answered with. It decides nothing.
 */
import { Context } from "effect"

/** Null for work that nobody waits for. */
export const CurrentRequestId = Context.Reference<string | null>("journeys/actors/CurrentRequestId", {
  defaultValue: () => null
})
