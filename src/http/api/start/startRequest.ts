/**
 * The body of a start as the documents show it: the five shapes of `schema/start`, each under the content type that it is
 * sent with. DELIVERY means CASH_SALE in JSON and FINANCE_SALE in multipart, so `type` decides in both. Only a finance
 * journey has two bodies of one type; `finance.panelSubmission` tells them apart.
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { largestPhotoBytes } from "../../../schema/start/rules.ts"
import { startBodies } from "../../../schema/start/startBodies.ts"

const StartFinanceIdentityDelivery = Schema.Union([
  startBodies.FINANCE_ALREADY_SUBMITTED,
  startBodies.FINANCE_SUBMIT_VIA_MIRA
]).annotate({
  identifier: "StartFinanceIdentityDelivery",
  title: "FINANCE_IDENTITY_DELIVERY",
  description: "Two bodies: finance.panelSubmission is ALREADY_SUBMITTED in the first and SUBMIT_VIA_MIRA in the second"
})

export const StartJourney = Schema.Union([
  StartFinanceIdentityDelivery,
  startBodies.IDENTITY_DELIVERY,
  startBodies.CASH_SALE
]).annotate({
  identifier: "StartJourney",
  description: "One closed body for each journey type: a field that is not listed for the type is refused, not ignored"
})

/** The photo is a file on the wire; its length is counted in bytes. */
export const Photo = Schema.String.annotate({
  format: "binary",
  description: `The photo as a file: JPEG or PNG, at most ${largestPhotoBytes} bytes, showing exactly one clear, large enough face. It is stored without its metadata.`
}).check(Schema.isMaxLength(largestPhotoBytes))

export const StartJourneyWithPhoto = Schema.Struct({ journey: startBodies.FINANCE_SALE, customerFace: Photo })
  .annotate({ identifier: "StartJourneyWithPhoto" })
  .pipe(HttpApiSchema.asMultipart())
