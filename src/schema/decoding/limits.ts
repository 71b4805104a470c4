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
  mostProblems: 200,
  /** Entries of a list that are judged one by one. A longer list is one problem, or its own rule judges the other entries. */
  mostEntriesJudged: 10,
  /** How much of an unlisted name, or of a refused parameter, an answer repeats. */
  longestNameShown: 60,
  /** Letters of a name that an unlisted name is taken for by one letter. Shorter names are near too many others. */
  shortestNameGuessed: 4
} as const
