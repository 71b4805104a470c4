/**
 * Keeps what Node has compiled for the next start of the service or of a command, which then takes about a third less time. The
 * files lie with the packages, where only whoever installed them can write: in a folder for everybody another user of the
 * machine could put code of their own. A folder that cannot be written to is no error. Plain JavaScript, for any Node.
 */
import module from "node:module"
import { fileURLToPath } from "node:url"

module.enableCompileCache?.(fileURLToPath(new URL("../../node_modules/.cache/journeys", import.meta.url)))
