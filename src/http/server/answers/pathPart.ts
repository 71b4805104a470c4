/** A part of a request's path by its name, as text. What it may be is judged by whoever asks for it. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"

export const pathPart = (name: string): Effect.Effect<string, never, HttpRouter.RouteContext> =>
  Effect.map(HttpRouter.params, (params) => params[name] ?? "")
