/**
 * The body of a start as the documents show it: the five shapes of `schema/start`, put under the content type they come
 * in. DELIVERY means CASH_SALE in JSON and FINANCE_SALE in multipart, so `type` decides in both; only a finance journey
 * has two bodies of one type, which `finance.panelSubmission` tells apart.
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { startBodies } from "../../schema/start/startBodies.ts"

const StartFinanceIdentityDelivery = Schema.Union([
  startBodies.FINANCE_ALREADY_SUBMITTED,
  startBodies.FINANCE_SUBMIT_VIA_MIRA
]).annotate({
  identifier: "StartFinanceIdentityDelivery",
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

/** The photo is any binary here; `multipart.ts` and the rules of a start say what it must be. */
export const StartJourneyWithPhoto = Schema.Struct({
  journey: startBodies.FINANCE_SALE,
  customerFace: Schema.String.annotate({ format: "binary" })
})
  .annotate({ identifier: "StartJourneyWithPhoto" })
  .pipe(HttpApiSchema.asMultipart())
