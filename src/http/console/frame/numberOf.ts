/** A number of a form as a body carries it. */

/** What is no number stays text: the operation says what is wrong with it, and of a number, too, what it may be. */
export const numberOf = (fields: URLSearchParams, name: string): number | string => {
  const text = (fields.get(name) ?? "").trim()
  return /^-?\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text
}
