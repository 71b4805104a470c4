/**
 * One spelling for every JSON value, so that a request sent again with other spacing, key order or number notation has
 * the fingerprint of the first (I2). It does not hash, and it does not judge: text is taken code unit by code unit.
 */

/** Names sorted by code unit, no white space, numbers as JavaScript writes them (2020.0 is 2020), list order kept. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let text = ""
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text === "" ? "" : ","}${canonicalJson(entry)}`
    return `[${text}]`
  }
  // Plain sort compares code units; localeCompare would depend on the machine.
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson((value as Record<string, unknown>)[name])}`
  }
  return `{${text}}`
}
