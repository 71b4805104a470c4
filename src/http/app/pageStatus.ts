/** What the pages of the customer's app answer with, by what they say. Problems of a request have theirs in the catalogue. */
export const pageStatus = {
  shown: 200,
  seeOther: 303,
  signInFirst: 401,
  /** The form does not come from our own page, or from an old one. */
  forged: 403,
  /** Used, expired, voided and unknown links alike. */
  linkEnded: 404,
  journeyClosed: 410,
  /** The step is not, or no longer, the one that is asked for. */
  notAskedNow: 409,
  /** What was sent cannot be used as it is; the page says what and why. */
  unusable: 422,
  tooOften: 429,
  unavailable: 503
} as const

export type PageStatus = (typeof pageStatus)[keyof typeof pageStatus]
