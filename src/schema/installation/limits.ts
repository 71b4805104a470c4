/** The limits of what an operator looks at over all companies. */

export const installationLimits = {
  /** A count goes no further: whoever runs the service wants to know whether it is none, some or many. */
  countedTo: 1000,
  /** The name of an operator's token, which the audit log repeats. */
  longestTokenName: 40,
  /** Tokens that are not revoked: a person, a pipeline and a monitor each have their own. More than this is a mistake. */
  mostTokens: 100,
  /** A token whose maker says nothing ends after this many days: a year, by when somebody looks at it again. */
  tokenDays: 365,
  /** Hours in `olderThan`: a journey waits for three months at most, and then some for the service. */
  longestWaitHours: 24 * 200,
  /** Lines of a journal in a test case: a journey has some tens, and one that is tried again and again some hundreds. */
  mostCaseLines: 2000
} as const
