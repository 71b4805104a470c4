/** The limits of what an operator configures for a company. Limits of wallets, keys and the sandbox stand here as well. */

export const companyLimits = {
  /** As long as the names in a start. */
  longestCompanyName: 255,
  longestKeyName: 100,
  longestPanelName: 100,
  /** 128 bits, if the secret is hexadecimal. */
  shortestProviderSecret: 16,
  longestProviderSecret: 255,

  /** X4: the days of the identity window and of the handover window. */
  shortestWindowDays: 1,
  longestWindowDays: 90,
  /** X1, X2. */
  usualWindowDays: 30,

  /** How long photos and videos of live journeys are kept after the end of their journey. */
  shortestRetentionDays: 1,
  longestRetentionDays: 365,
  /** As long as a customer may come back with a question. */
  usualRetentionDays: 30,

  /** The pace of a sandbox, per step. A person watches it: a minute is long enough. */
  fastestPaceSeconds: 1,
  slowestPaceSeconds: 60,

  /** Credits in one purchase. A larger number is a typing error. */
  largestCredit: 1_000_000,
  longestCreditNote: 255
} as const
