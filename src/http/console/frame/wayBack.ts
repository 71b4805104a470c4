/** Where a page may lead somebody that the browser has named: to a page of the console, and nowhere else. */
import { consoleLimits } from "./limits.ts"

/** A path of the console, perhaps with what its address asks for, such as the filters of a list. */
const ofConsole = /^\/console(?:\/[\w-]+)*(?:\?[\w.~%+=&:-]*)?$/

/** The path, if it is one of the console. */
export const wayBackOf = (path: string | null): string | null =>
  path !== null && path.length <= consoleLimits.longestWayBack && ofConsole.test(path) ? path : null
