/** The limits of what callers may ask about mail. */
export const mailQueryLimits = {
  /** Characters of an address. No company and no customer can have a longer address. */
  longestAddress: 255
} as const
