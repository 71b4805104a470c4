/**
 * Which attempt at an identity check, and which result of an outside provider, speaks for its journey. A message from the
 * check has the id of its attempt or result, so the journal tells. An attempt that the journey never took, or that a later attempt overtook, is nobody's face.
 * An outside provider may tell the result of one try in two messages, first that it is under review and then what came of it: its portrait may have come
 * with either.
 */

/** The journey heard of this attempt last from its check. A reviewer's verdict on the attempt has another sender. */
const wasHeardLast = (attempt: string) => `${attempt}.id = (
  select l.message_id from journal l where l.journey_id = ${attempt}.journey_id and l.sender = 'identity'
  order by l.version desc limit 1
)`

/** Of the results with a portrait that the journey heard since the last failure, this is the last one. A failure ends a try, whoever finds it. */
const hasPortraitOfLastTry = (result: string) => `${result}.id = (
  select l.message_id from journal l join provider_results o on o.id = l.message_id and o.sealed_portrait is not null
  where l.journey_id = ${result}.journey_id and l.sender = 'identity' and l.version > coalesce((
    select max(f.version) from journal f where f.journey_id = ${result}.journey_id and f.message ->> '_tag' = 'IdentityFailed'
  ), 0)
  order by l.version desc limit 1
)`

const isOfCheck = (journey: string, attempt: string, status: string) =>
  `coalesce(${journey}.identity_status = '${status}', false) and ${attempt}.check_number = ${journey}.identity_check`

const isOfStatus = (journey: string, attempt: string, status: string) =>
  `${isOfCheck(journey, attempt, status)} and ${wasHeardLast(attempt)}`

/** The customer was verified with this attempt, by a clear match or by a reviewer who approved an unclear one. */
export const isVerified = (journey: string, attempt: string): string => isOfStatus(journey, attempt, "VERIFIED")

/** The portrait of this result is the face of the customer whom the provider, or a reviewer, has verified. */
export const isVerifiedPortrait = (journey: string, result: string): string =>
  `${isOfCheck(journey, result, "VERIFIED")} and ${hasPortraitOfLastTry(result)}`

/** This attempt waits for a reviewer: it is unclear, or a clear match that is not enough (D6, D8). */
export const isUnderReview = (journey: string, attempt: string): string =>
  `${attempt}.verdict in ('UNCLEAR', 'SAME') and ${isOfStatus(journey, attempt, "UNDER_REVIEW")}`

/** This result of an outside provider waits for a reviewer. */
export const isResultUnderReview = (journey: string, result: string): string =>
  isOfStatus(journey, result, "UNDER_REVIEW")
