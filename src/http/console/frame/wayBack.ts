/** Where a page may lead somebody that the browser has named: to a page of the console, and nowhere else. */
import { consoleLimits } from "./limits.ts"

/** The path, if it is one of the console. */
export const wayBackOf = (path: string | null): string | null =>
  path !== null && path.length <= consoleLimits.longestWayBack && /^\/console(?:\/[\w-]+)*$/.test(path) ? path : null
