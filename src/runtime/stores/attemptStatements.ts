/**
 * Which attempt at an identity check, and which result of an outside provider, speaks for its journey. A message from the
 * check has the id of its attempt or result, so the journal tells. An attempt that the journey never took, or that a later attempt overtook, is nobody's face.
 */

/** The journey heard of this attempt last from its check. A reviewer's verdict on the attempt has another sender. */
const wasHeardLast = (attempt: string) => `${attempt}.id = (
  select l.message_id from journal l where l.journey_id = ${attempt}.journey_id and l.sender = 'identity'
  order by l.version desc limit 1
)`

const isOfStatus = (journey: string, attempt: string, status: string) =>
  `coalesce(${journey}.identity_status = '${status}', false) and ${attempt}.check_number = ${journey}.identity_check
  and ${wasHeardLast(attempt)}`

/** The customer was verified with this attempt or result, by a clear match or by a reviewer who approved an unclear one. */
export const isVerified = (journey: string, attempt: string): string => isOfStatus(journey, attempt, "VERIFIED")

/** This attempt waits for a reviewer: it is unclear, or a clear match that is not enough (D6, D8). */
export const isUnderReview = (journey: string, attempt: string): string =>
  `${attempt}.verdict in ('UNCLEAR', 'SAME') and ${isOfStatus(journey, attempt, "UNDER_REVIEW")}`

/** This result of an outside provider waits for a reviewer. */
export const isResultUnderReview = (journey: string, result: string): string =>
  isOfStatus(journey, result, "UNDER_REVIEW")
