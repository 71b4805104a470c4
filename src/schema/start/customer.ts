/**
 * The customer of a journey: who they are and how to reach them. For an application that goes to the finance panel the
 * customer is the applicant, and must give more.
 */
import { Schema } from "effect"
import { EmailAddress, Mobile } from "./contact.ts"
import { DateOfBirth } from "../decoding/dates.ts"
import { startFieldLimits } from "./limits.ts"
import { nameText } from "./nameText.ts"

const { oldestApplicant, youngestApplicant } = startFieldLimits

const Title = Schema.Literals(["MR", "MRS", "MISS", "MS", "DR"])

const named = { firstName: nameText(100), lastName: nameText(100), email: EmailAddress }

export const Customer = Schema.Struct({
  ...named,
  mobile: Schema.optionalKey(Mobile),
  title: Schema.optionalKey(Title),
  dateOfBirth: Schema.optionalKey(DateOfBirth)
}).annotate({ identifier: "Customer" })

export const Applicant = Schema.Struct({
  ...named,
  mobile: Mobile,
  title: Title,
  dateOfBirth: DateOfBirth.annotate({
    title: "Date of birth",
    description: `YYYY-MM-DD; the applicant must be ${youngestApplicant} to ${oldestApplicant} years old`
  })
}).annotate({ identifier: "Applicant", description: "The customer of an application sent with SUBMIT_VIA_MIRA" })
