/** How an answer repeats a name that the caller made up: printable ASCII, and shortened. */
import { jsonLimits } from "./limits.ts"

/** What the caller wrote, in a form that is safe to repeat in an answer. */
export const quoteName = (name: string): string => {
  let quoted = ""
  for (const character of name) {
    quoted += escape(character)
    if (quoted.length > jsonLimits.longestNameShown) return `${quoted.slice(0, jsonLimits.longestNameShown)}...`
  }
  return quoted
}

const escape = (character: string): string =>
  /^[ !#-[\]-~]$/.test(character)
    ? character
    : Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
      ).join("")

/** The path of a member, by the path of what holds the member: empty for the whole. */
export const memberPath = (field: string, name: string): string => {
  if (!/^[\w-]+$/.test(name)) return `${field}["${quoteName(name)}"]`
  return field === "" ? quoteName(name) : `${field}.${quoteName(name)}`
}
