/**
 * Postcodes of the United Kingdom, the Channel Islands and the Isle of Man, by their form alone: nobody is asked whether a
 * postcode exists.
 */

/** Outward and inward code. The outward code begins with the letters of the postcode area. */
const form = /^(([A-Z]{1,2})\d[A-Z\d]?)(\d[A-Z]{2})$/

const partsOf = (text: string): RegExpExecArray | null => form.exec(text.toUpperCase().replaceAll(/[\s-]/g, ""))

/** The postcode as it stands on an envelope, or null when the text does not have the form of one. */
export const ukPostcode = (text: string): string | null => {
  const parts = partsOf(text)
  return parts === null ? null : `${parts[1]} ${parts[3]}`
}

/** The letters before the first digit: LS of LS1 4DY. */
export const postcodeArea = (text: string): string | null => partsOf(text)?.[2] ?? null
