/**
 * Decides whether a body may start a journey: steps 8 to 11 of V15, in that order. The type comes first, then every 400
 * of the body together, then the right of the key to a cash sale, then the consents. Everything that it needs is an
 * argument.
 */
import { Result, Schema } from "effect"
import { errorCatalogue, type FieldError, inCatalogueOrder } from "../problems.ts"
import { invalid, strictly } from "../decoding/bodyDecoder.ts"
import { jsonLimits } from "../decoding/limits.ts"
import { JourneyType } from "../journey/statuses.ts"
import { normaliserOf } from "../decoding/normalise.ts"
import { fieldErrorOf } from "./problemCodes.ts"
import { problemsOf } from "../decoding/bodyProblems.ts"
import { isRecord, memberOf } from "../decoding/record.ts"
import { brokenRules, isLeftToRules, type StartCircumstances } from "./rules.ts"
import { type Reading, startBodies, type StartRequest, undecidedBodies } from "./startBodies.ts"

export const decodeStart = (
  body: unknown,
  facts: StartCircumstances
): Result.Result<StartRequest, ReadonlyArray<FieldError>> => {
  if (!isRecord(body)) return Result.fail([notAnObject])
  const reading = readingOf(body)
  if (reading === undefined) return Result.fail([unknownType])

  const { normalise, decode } = readers[reading]
  const inForm = normalise(body)
  const decoded = decode(inForm)
  const wrong = Result.isFailure(decoded) ? schemaErrors(reading, decoded.failure, body) : []
  const found = wrong.filter(({ field }) => !isLeftToRules(field, facts))
  const errors = [...found, ...brokenRules(reading, inForm, facts, found)]

  const malformed = errors.filter(({ code }) => errorCatalogue[code].status === 400)
  if (malformed.length > 0) return Result.fail(inCatalogueOrder(malformed).slice(0, jsonLimits.mostProblems))
  if (reading === "CASH_SALE" && facts.companyKind !== "DEALER") return Result.fail([dealerOnly])
  if (Result.isFailure(decoded)) return Result.fail(inCatalogueOrder(errors))
  // A body never satisfies an undecided reading. So this reading is a shape, and it is the shape that the body was
  // decoded as.
  return Result.succeed({ shape: reading, ...decoded.success } as StartRequest)
}

/** The shape that the body says it has. Undecided if the field that would say is missing or unknown. */
const readingOf = (body: Record<string, unknown>): Reading | undefined => {
  const type = memberOf(body, "type")
  if (!isJourneyType(type)) return undefined
  switch (type) {
    case "FINANCE_IDENTITY_DELIVERY":
      switch (memberOf(memberOf(body, "finance"), "panelSubmission")) {
        case "ALREADY_SUBMITTED":
          return "FINANCE_ALREADY_SUBMITTED"
        case "SUBMIT_VIA_MIRA":
          return "FINANCE_SUBMIT_VIA_MIRA"
        default:
          return "FINANCE_UNDECIDED"
      }
    case "IDENTITY_DELIVERY":
      return "IDENTITY_DELIVERY"
    case "DELIVERY":
      switch (memberOf(memberOf(body, "delivery"), "saleType")) {
        case "CASH_SALE":
          return "CASH_SALE"
        case "FINANCE_SALE":
          return "FINANCE_SALE"
        default:
          return "DELIVERY_UNDECIDED"
      }
  }
}

const isJourneyType = Schema.is(JourneyType)

const schemaErrors = (reading: Reading, error: Schema.SchemaError, sent: unknown): ReadonlyArray<FieldError> =>
  problemsOf(error.issue, sent)
    // The message about a missing customerFace depends on the photo, so `rules.ts` writes it.
    .filter(({ field, kind }) => !(reading === "FINANCE_SALE" && field === "customerFace" && kind === "MISSING"))
    .map((problem) => fieldErrorOf(reading, problem))

const reader = (schema: Schema.ConstraintDecoder<object>) => ({
  normalise: normaliserOf(schema),
  // The refused values stay in the issues, because `bodyProblems.ts` names their JSON type. The values are never repeated.
  decode: Schema.decodeUnknownResult(schema, strictly)
})

const readers = {
  FINANCE_ALREADY_SUBMITTED: reader(startBodies.FINANCE_ALREADY_SUBMITTED),
  FINANCE_SUBMIT_VIA_MIRA: reader(startBodies.FINANCE_SUBMIT_VIA_MIRA),
  IDENTITY_DELIVERY: reader(startBodies.IDENTITY_DELIVERY),
  CASH_SALE: reader(startBodies.CASH_SALE),
  FINANCE_SALE: reader(startBodies.FINANCE_SALE),
  FINANCE_UNDECIDED: reader(undecidedBodies.FINANCE_UNDECIDED),
  DELIVERY_UNDECIDED: reader(undecidedBodies.DELIVERY_UNDECIDED)
} satisfies Record<Reading, unknown>

const notAnObject = invalid("body", "must be a JSON object")

const unknownType = invalid("type", `must be one of ${JourneyType.literals.join(", ")}`)

const dealerOnly: FieldError = {
  field: "delivery.saleType",
  code: "DEALER_ONLY",
  message: errorCatalogue.DEALER_ONLY.meaning
}
