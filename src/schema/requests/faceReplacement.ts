/**
 * The `details` of a new customer photo: the members of customerFace on a start, with the codes of a start. A missing consent
 * is reported apart from the other problems, because the journey's state is judged in between (V16).
 */
import { Result, Schema } from "effect"
import { invalid, strictly } from "../decoding/bodyDecoder.ts"
import type { FieldError } from "../problems.ts"
import { CustomerFace } from "../start/customerFace.ts"
import { normaliserOf } from "../decoding/normalise.ts"
import { problemsOf } from "../decoding/bodyProblems.ts"
import { isRecord } from "../decoding/record.ts"
import { timesInFuture } from "../start/rules.ts"

export interface FaceDetails {
  /** Every problem with status 400. */
  readonly malformed: ReadonlyArray<FieldError>
  /** The problem that no consent was given. */
  readonly withoutConsent: FieldError | null
}

const normalise = normaliserOf(CustomerFace)
const decode = Schema.decodeUnknownResult(CustomerFace, strictly)

/** `now` is epoch milliseconds. */
export const judgeFaceDetails = (details: unknown, now: number): FaceDetails => {
  if (!isRecord(details)) {
    return { malformed: [invalid("details", "must be a JSON object")], withoutConsent: null }
  }
  const inForm = normalise(details)
  const decoded = decode(inForm)
  const found = Result.isFailure(decoded) ? problemsOf(decoded.failure.issue, details) : []
  const isConsent = ({ field, kind }: (typeof found)[number]) =>
    field === "biometricConsent.given" || (field === "biometricConsent" && kind === "MISSING")
  const missing = found.find(isConsent)
  return {
    malformed: [
      ...found.filter((problem) => !isConsent(problem)).map(({ field, rule }) => invalid(field, rule)),
      ...timesInFuture(inForm, now).map((field) => invalid(field, "must not be in the future"))
    ],
    withoutConsent: missing === undefined ? null : invalid(missing.field, missing.rule, "BIOMETRIC_CONSENT_REQUIRED")
  }
}
