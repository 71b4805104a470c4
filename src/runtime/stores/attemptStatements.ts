/**
 * Which attempt at an identity check speaks for its journey: a message from the check bears its attempt's id, so the
 * journal tells. An attempt that the journey never took, or that a later one overtook, is nobody's face.
 */

/** The attempt is what the journey heard of last from its check; a reviewer's verdict on it comes from somebody else. */
const wasHeardLast = (attempt: string) => `${attempt}.id = (
  select l.message_id from journal l where l.journey_id = ${attempt}.journey_id and l.sender = 'identity'
  order by l.version desc limit 1
)`

const isOfStatus = (journey: string, attempt: string, status: string) =>
  `coalesce(${journey}.state -> 'identity' ->> 'status' = '${status}', false)
  and ${attempt}.check_number = coalesce((${journey}.state -> 'identity' ->> 'check')::integer, 0)
  and ${wasHeardLast(attempt)}`

/** The one with which the customer was verified, by a clear match or by a reviewer who approved an unclear one. */
export const isVerified = (journey: string, attempt: string): string => isOfStatus(journey, attempt, "VERIFIED")

/** The unclear one that waits for a reviewer. */
export const isUnderReview = (journey: string, attempt: string): string =>
  `${attempt}.verdict = 'UNCLEAR' and ${isOfStatus(journey, attempt, "UNDER_REVIEW")}`
