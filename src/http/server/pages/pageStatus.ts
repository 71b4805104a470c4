/** The statuses of the app's pages, by what the pages say. The catalogue has the statuses of problems. */
export const pageStatus = {
  shown: 200,
  seeOther: 303,
  signInFirst: 401,
  /** The form does not come from one of our pages, or comes from an outdated one. */
  forged: 403,
  /** A used, expired, voided or unknown link. */
  linkEnded: 404,
  journeyClosed: 410,
  /** The journey does not ask for this step, or no longer. */
  notAskedNow: 409,
  /** The service cannot use what was sent; the page says what and why. */
  unusable: 422,
  tooOften: 429,
  unavailable: 503,
  /** The least status of a fault of our own. */
  internal: 500
} as const

export type PageStatus = (typeof pageStatus)[keyof typeof pageStatus]
