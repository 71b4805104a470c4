/** The limits of a start and of other bodies with the same fields, each with its reason. Lengths of text stand with their fields (§4.2). */
import { listLimits } from "../limits.ts"
import { jsonLimits } from "../decoding/limits.ts"

export const startFieldLimits = {
  /** §8 says 5 MB. Read as mebibytes, so that no file that a caller's system calls 5 MB is refused. */
  largestPhotoBytes: 5 * 1024 * 1024,
  /** Entries of employmentHistory, and of addressHistory (§8). */
  mostHistoryEntries: jsonLimits.mostEntriesJudged,
  /** The addresses must cover three years (§4.2). */
  shortestAddressHistoryMonths: 36,
  /** The age in years of an applicant whose application the service submits (V13). */
  youngestApplicant: 18,
  oldestApplicant: 120,
  /** How far a caller's clock may be ahead of the service's (V13). */
  clockToleranceMillis: 5 * 60 * 1000,
  /** Pounds: more than any car or income, and exact to the penny in a double. */
  mostMoney: 99_999_999.99,
  /** An email address (§4.2), and the part before its @ (RFC 5321). */
  longestEmail: 255,
  longestLocalPart: 64,
  /** The specification gives no length for ids of other systems. This is the length that it gives externalReference. */
  longestOtherSystemsId: listLimits.longestExternalReference
} as const
