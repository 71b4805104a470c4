/** The limits of any JSON body, whatever it means, each with its reason. Limits of single fields stand with their schemas. */
export const jsonLimits = {
  /** Levels of nesting (decision V14). The deepest legal body has four containers around a value. */
  deepestNesting: 20,
  /**
   * Values in one body. The fullest legal start, with ten jobs and ten addresses, has about 260. A body of a few thousand tiny
   * values would cost far more to judge, and to answer with one problem each, than its size suggests.
   */
  mostValues: 2_000,
  /** Problems that are looked for in one body: more than an honest mistake makes, and so few that a small request cannot ask for a huge answer. */
  mostProblems: 200
} as const

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
