/**
 * Finds names in the environment that are nearly ours, and says which name was probably meant. The environment also
 * holds names of other programs, so only a name that is unlikely to be another program's is refused. A program that calls the
 * service may well have names of its own that begin with the service's, such as JOURNEYS_URL.
 */
import { isNear } from "../../schema/decoding/nearName.ts"
import { shortestGuardedName } from "./environment.ts"
import { knownNames } from "./secretFiles.ts"

/** Some put the service's name before the name of a setting. */
const ownPrefix = "JOURNEYS_"

/** One sentence for each such name. */
export const misspelled = (names: ReadonlyArray<string>): Array<string> =>
  names.flatMap((name) => {
    if (knownNames.some((known) => known === name)) return []
    const bare = name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : undefined
    const meant =
      knownNames.find((known) => known === bare) ??
      knownNames.find((known) => known.length >= shortestGuardedName && isNear(bare ?? name, known))
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`]
  })
