/**
 * Gives every JSON value one spelling, so that a repeated request with other white space, key order or number notation
 * has the same fingerprint (decision I2). It does not hash, and it does not judge: text is compared by its code units.
 */

/**
 * Names are sorted by code unit, there is no white space, numbers are written as JavaScript writes them (2020.0 becomes
 * 2020), and lists keep their order.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let text = ""
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text === "" ? "" : ","}${canonicalJson(entry)}`
    return `[${text}]`
  }
  // The plain sort compares code units. `localeCompare` would depend on the machine.
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson((value as Record<string, unknown>)[name])}`
  }
  return `{${text}}`
}
