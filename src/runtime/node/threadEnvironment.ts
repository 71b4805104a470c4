/**
 * What a thread gets of the environment: the folder in which Node keeps what it has compiled, as the service itself uses it
 * (`moduleLoading.js`), so that the thread starts sooner. Nothing else, and no secret.
 */
import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"

export const threadEnvironment = (): Readonly<Record<string, string>> => {
  // Of this version of Node; the thread adds the version itself.
  const ofVersion = getCompileCacheDir()
  return ofVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofVersion) }
}
