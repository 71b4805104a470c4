/** A route of the app as data: a list of them keeps the type of what each handler needs. */
import type { Route } from "../../server/answers/answering.ts"

export const appRoute = <R>(
  method: Route<R>["method"],
  path: Route<R>["path"],
  handle: Route<R>["handle"]
): Route<R> => ({ method, path, handle })
