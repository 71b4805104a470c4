/**
 * Loaded before the service (`node --import`), for the comparison of `requestLog.ts`: nobody notes a line of the request log. The
 * service itself has no such switch.
 */
import { registerHooks } from "node:module"

const unnoted = "export const noted = (route, request, answer) => answer({ key: null, errors: [] })"

registerHooks({
  load: (url, context, next) =>
    url.endsWith("/src/http/server/endpoints/requestLine.ts")
      ? { format: "module", shortCircuit: true, source: unnoted }
      : next(url, context)
})
