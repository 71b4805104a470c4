/** The limits of what callers may ask about mail, and set for it. */
export const mailQueryLimits = {
  /** Characters of an address. No company and no customer can have a longer address. */
  longestAddress: 255,
  /** Mails a day that an operator may allow a company: more than any company sends. */
  mostPerDay: 1_000_000
} as const
