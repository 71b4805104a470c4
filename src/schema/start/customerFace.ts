/**
 * What a caller states about the customer's photo: its source, and the consent to compare faces. The photo itself is a
 * separate part. `rules.ts` checks that it came, and its bytes are checked elsewhere.
 */
import { Schema } from "effect"
import { Timestamp } from "../decoding/dates.ts"
import { text } from "../decoding/text.ts"

const BiometricConsent = Schema.Struct({
  given: Schema.Literal(true).annotate({ description: "Must be true; otherwise BIOMETRIC_CONSENT_REQUIRED" }),
  capturedAt: Timestamp,
  method: Schema.Literals(["SIGNED_IN_PERSON", "ONLINE_FORM"]),
  noticeVersion: text(100).annotate({ description: "The version of the privacy notice the customer saw" }),
  capturedBy: Schema.optionalKey(text(255))
}).annotate({ identifier: "BiometricConsent" })

export const CustomerFace = Schema.Struct({
  source: Schema.Literals(["IN_PERSON_PHOTO", "ID_DOCUMENT_PHOTO"]),
  capturedAt: Schema.optionalKey(Timestamp),
  biometricConsent: BiometricConsent
}).annotate({ identifier: "CustomerFace" })
