/** The limits of what an operator looks at over all companies. */

export const installationLimits = {
  /** A count goes no further: whoever runs the service wants to know whether it is none, some or many. */
  countedTo: 1000,
  /** Hours in `olderThan`: a journey waits for three months at most, and then some for the service. */
  longestWaitHours: 24 * 200
} as const
