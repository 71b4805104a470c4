/**
 * The limits of what a journey keeps of a check and of a consent: the reasons of a result, whether they are the service's own
 * codes or a provider's, and the version of the notice that a customer answered.
 */

export const reasonLimits = {
  /** Reasons of one result. A team reads them all; a check that names more says nothing clearly. */
  mostReasons: 10,
  /** Characters of one code: longer than any of the service's own, and too short for a sentence about the customer. */
  longestReasonCode: 64
} as const

export const consentLimits = {
  /** Characters of a notice's version: its step, its number and its language. */
  longestNoticeVersion: 32
} as const
