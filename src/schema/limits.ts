/** The limits of lists and of what they are filtered by (decisions R7 and R8). */
export const listLimits = {
  /** Pages end beyond any list that exists. Times the largest page, the number stays within an int4 of the database. */
  lastPage: 20_000_000,
  /** Entries that a list counts and goes through. To count a million takes seconds, and nobody turns so many pages. */
  mostCounted: 10_000,
  /** Entries of a page that asks for no size. */
  usualPageSize: 20,
  /** Entries of a page. */
  largestPageSize: 100,
  /** Characters of an externalReference (§4.2). The filter can ask for no more. */
  longestExternalReference: 100,
  /** Characters of a place in a list: its version, the digits of a moment and an id, in base64. */
  longestPlace: 80
} as const
