/** A part of a page's path, as text: the operation that the page asks judges it. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"

export const pathPart = (name: string): Effect.Effect<string, never, HttpRouter.RouteContext> =>
  Effect.map(HttpRouter.params, (params) => params[name] ?? "")
