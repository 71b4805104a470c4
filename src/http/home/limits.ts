/** The limits of the home page, which people read who try the service out. */

export const homeLimits = {
  /** Test journeys on the home page: what somebody who tries the service has just started. */
  journeysShown: 10
} as const
