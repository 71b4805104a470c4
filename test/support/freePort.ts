/** A port of loopback on which nobody listens now, for servers that keep their port over restarts: as the demo finds it. */
import { Effect } from "effect"
import { freePort as find } from "../../src/runtime/embedded/freePort.ts"

export const freePort = (): Promise<number> => Effect.runPromise(find)
