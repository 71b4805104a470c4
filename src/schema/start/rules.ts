/**
 * Rules that need more than one field, the calling key, the photo or the clock. The body has been brought into form and
 * may still be anything. A rule reports nothing when a field that it needs is missing or malformed, because the schema
 * has reported that already.
 */
import { errorCatalogue, type FieldError } from "../problems.ts"
import { imageHeader, imageType } from "../media/imageHeader.ts"
import { tooManyEntries } from "./application.ts"
import { startFieldLimits } from "./limits.ts"
import { invalid } from "../decoding/bodyDecoder.ts"
import { ageOn, isCalendarDate, isFutureDate, isTimestamp, millisOf } from "../decoding/dates.ts"
import { isRecord, memberOf } from "../decoding/record.ts"
import type { Reading } from "./startBodies.ts"
import { unknownDealer } from "./vehicle.ts"

/** What is known about a start request beside its body. */
export interface StartCircumstances {
  readonly companyKind: "DEALER" | "BROKER"
  /** False when the vehicle's dealerCompanyId is the id of no dealer of this service. */
  readonly isDealerKnown: boolean
  /** Epoch milliseconds. */
  readonly now: number
  readonly transport: "JSON" | "MULTIPART"
  readonly photo: null | SentPhoto
}

/** What can be said about a photo without decoding it. */
export interface SentPhoto {
  readonly image: "JPEG" | "PNG" | "OTHER"
  readonly bytes: number
  /** Why the photo will not be decoded, by its header. */
  readonly problem?: string
}

export const sentPhoto = (photo: Uint8Array): SentPhoto => {
  const sent = { image: imageType(photo), bytes: photo.length }
  // A photo over the limit was not read to its end.
  if (sent.image === "OTHER" || sent.bytes > largestPhotoBytes) return sent
  const header = imageHeader(photo)
  return "problem" in header ? { ...sent, problem: header.problem } : sent
}

export const { largestPhotoBytes } = startFieldLimits

const { clockToleranceMillis, oldestApplicant, shortestAddressHistoryMonths, youngestApplicant } = startFieldLimits

/** `found` are the problems that the schema reported. */
export const brokenRules = (
  reading: Reading,
  body: unknown,
  facts: StartCircumstances,
  found: ReadonlyArray<FieldError>
): ReadonlyArray<FieldError> => {
  const broken: Array<FieldError> = []
  const isFine = (field: string) => !found.some((error) => error.field === field)
  dealer(body, facts, isFine, broken)
  photo(reading, body, facts, isFine, broken)
  if (mayHoldApplication(reading)) historyLengths(body, isFine, broken)
  if (reading === "FINANCE_SUBMIT_VIA_MIRA") histories(body, isFine, broken)
  dateOfBirth(reading, body, facts.now, broken)
  if (reading === "FINANCE_SALE" || reading === "DELIVERY_UNDECIDED") capturedTimes(body, facts.now, broken)
  return broken
}

type IsFine = (field: string) => boolean

const mayHoldApplication = (reading: Reading): boolean =>
  reading === "FINANCE_SUBMIT_VIA_MIRA" || reading === "FINANCE_ALREADY_SUBMITTED" || reading === "FINANCE_UNDECIDED"

const namesOfDealer = ["dealerCompanyId", "dealerDirectoryId"] as const

/** What `dealer` says of a field with a dealer's key, whatever is in the field. */
export const isLeftToRules = (field: string, { companyKind }: StartCircumstances): boolean =>
  companyKind === "DEALER" && namesOfDealer.some((name) => field === `vehicle.${name}`)

/** Decision V7. */
const dealer = (body: unknown, facts: StartCircumstances, isFine: IsFine, broken: Array<FieldError>): void => {
  const vehicle = memberOf(body, "vehicle")
  const sent = namesOfDealer.filter((name) => memberOf(vehicle, name) !== undefined)
  if (facts.companyKind === "DEALER") {
    for (const name of sent) {
      broken.push(invalid(`vehicle.${name}`, "belongs to broker keys only; dealer keys leave it out"))
    }
    return
  }
  if (!facts.isDealerKnown && isFine("vehicle.dealerCompanyId")) {
    broken.push(invalid("vehicle.dealerCompanyId", unknownDealer))
  }
  if (sent.length === 2) {
    broken.push(invalid("vehicle.dealerDirectoryId", "must not come together with vehicle.dealerCompanyId"))
  }
}

/** Decisions V8 to V10. A missing customerFace object is reported here, because the message depends on the photo. */
const photo = (
  reading: Reading,
  body: unknown,
  facts: StartCircumstances,
  isFine: IsFine,
  broken: Array<FieldError>
): void => {
  const sent = facts.transport === "MULTIPART" ? facts.photo : null
  if (reading === "DELIVERY_UNDECIDED") return
  if (reading !== "FINANCE_SALE") {
    if (sent !== null && isFine("customerFace")) {
      broken.push(error("customerFace", "CUSTOMER_FACE_NOT_USED"))
    }
    return
  }
  if (sent === null) {
    broken.push(error("customerFace", "CUSTOMER_FACE_REQUIRED"))
    return
  }
  broken.push(...photoProblems(sent))
  if (memberOf(body, "customerFace") === undefined) {
    broken.push(invalid("customerFace.source", "is required, in the customerFace object that comes with the photo"))
  }
}

/** What is wrong with a photo that came, as far as its header and its size tell. */
export const photoProblems = ({ bytes, image, problem }: SentPhoto): ReadonlyArray<FieldError> => [
  ...(image === "OTHER" ? [error("customerFace", "UNSUPPORTED_IMAGE_TYPE")] : []),
  ...(bytes > largestPhotoBytes
    ? [invalid("customerFace", `must be a photo of at most ${largestPhotoBytes} bytes`)]
    : []),
  ...(problem === undefined ? [] : [invalid("customerFace", problem)])
]

/** The schema does not count the entries of a list while one of them is malformed. */
const historyLengths = (body: unknown, isFine: IsFine, broken: Array<FieldError>): void => {
  const finance = memberOf(body, "finance")
  for (const name of ["employmentHistory", "addressHistory"]) {
    const entries = memberOf(finance, name)
    const field = `finance.${name}`
    if (Array.isArray(entries) && entries.length > startFieldLimits.mostHistoryEntries && isFine(field)) {
      broken.push(invalid(field, tooManyEntries))
    }
  }
}

/** Decision V6. */
const histories = (body: unknown, isFine: IsFine, broken: Array<FieldError>): void => {
  const finance = memberOf(body, "finance")
  const jobs = entriesOf(finance, "employmentHistory")
  if (jobs !== undefined && areFine(jobs, "finance.employmentHistory", ["employmentType"], isFine)) {
    if (!jobs.some((job) => memberOf(job, "employmentType") === "CURRENT")) {
      broken.push(incomplete("finance.employmentHistory", "must have at least one CURRENT entry"))
    }
  }
  const addresses = entriesOf(finance, "addressHistory")
  if (addresses === undefined) return
  if (areFine(addresses, "finance.addressHistory", ["addressType"], isFine)) {
    const current = addresses.filter((address) => memberOf(address, "addressType") === "CURRENT").length
    if (current !== 1) {
      broken.push(incomplete("finance.addressHistory", `must have exactly one CURRENT entry, and has ${current}`))
    }
  }
  if (areFine(addresses, "finance.addressHistory", ["timeAtAddressYears", "timeAtAddressMonths"], isFine)) {
    const months = addresses.reduce(
      (sum: number, address) =>
        sum + 12 * numberAt(address, "timeAtAddressYears") + numberAt(address, "timeAtAddressMonths"),
      0
    )
    if (months < shortestAddressHistoryMonths) {
      broken.push(
        incomplete(
          "finance.addressHistory",
          `must cover at least ${shortestAddressHistoryMonths} months in total, and covers ${months}`
        )
      )
    }
  }
}

/** A history that can be judged as a whole, or undefined. */
const entriesOf = (finance: unknown, name: string): ReadonlyArray<unknown> | undefined => {
  const entries = memberOf(finance, name)
  return Array.isArray(entries) && entries.length <= startFieldLimits.mostHistoryEntries ? entries : undefined
}

const areFine = (
  entries: ReadonlyArray<unknown>,
  field: string,
  names: ReadonlyArray<string>,
  isFine: IsFine
): boolean => entries.every((entry, at) => isRecord(entry) && names.every((name) => isFine(`${field}[${at}].${name}`)))

const numberAt = (entry: unknown, name: string): number => {
  const value = memberOf(entry, name)
  return typeof value === "number" ? value : 0
}

/** Decision V13. */
const dateOfBirth = (reading: Reading, body: unknown, now: number, broken: Array<FieldError>): void => {
  const born = memberOf(memberOf(body, "customer"), "dateOfBirth")
  if (typeof born !== "string" || !isCalendarDate(born)) return
  if (isFutureDate(born, now)) {
    broken.push(invalid("customer.dateOfBirth", "must not be in the future"))
  } else if (reading === "FINANCE_SUBMIT_VIA_MIRA") {
    const age = ageOn(now, born)
    if (age < youngestApplicant || age > oldestApplicant) {
      broken.push(
        invalid("customer.dateOfBirth", `must make the applicant ${youngestApplicant} to ${oldestApplicant} years old`)
      )
    }
  }
}

const capturedTimes = (body: unknown, now: number, broken: Array<FieldError>): void => {
  for (const path of timesInFuture(memberOf(body, "customerFace"), now)) {
    broken.push(invalid(`customerFace.${path}`, "must not be in the future"))
  }
}

/** The paths of the captured times of a customerFace object that lie ahead of the clock (V13). */
export const timesInFuture = (face: unknown, now: number): ReadonlyArray<string> => {
  const times = [
    ["capturedAt", memberOf(face, "capturedAt")],
    ["biometricConsent.capturedAt", memberOf(memberOf(face, "biometricConsent"), "capturedAt")]
  ] as const
  return times.flatMap(([path, time]) =>
    typeof time === "string" && isTimestamp(time) && millisOf(time) > now + clockToleranceMillis ? [path] : []
  )
}

const incomplete = (field: string, rule: string): FieldError => invalid(field, rule, "APPLICATION_INCOMPLETE")

const error = (
  field: string,
  code: "CUSTOMER_FACE_NOT_USED" | "CUSTOMER_FACE_REQUIRED" | "UNSUPPORTED_IMAGE_TYPE"
): FieldError => ({
  field,
  code,
  message: errorCatalogue[code].meaning
})
