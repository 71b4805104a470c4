/**
 * Puts a journey's case file together from its state and from what is kept beside it. Pure. Which paths lead to photos and
 * to the video is the endpoint's to say.
 */
import { timestamp, timestampOrNull } from "../../schema/moment.ts"
import type { JourneyId } from "../../schema/ids.ts"
import { noticeOfStart, type Consent } from "../../schema/journey/consents.ts"
import type { JourneyMessageTag } from "../../schema/journey/messages.ts"
import type {
  CaseConsent,
  CaseFileResource,
  CaseIdentityAttempt,
  CasePicture,
  CaseVideoVerdict
} from "../../schema/review/CaseFile.ts"
import { confirmedAddress } from "../../schema/review/ConfirmedAddress.ts"
import { memberOf } from "../../schema/decoding/record.ts"
import { shownOf } from "../../schema/start/allowList.ts"
import { shownToTeam, type AnySection } from "../../schema/start/startReaders.ts"
import type { StoredStart } from "../../schema/start/storedStart.ts"
import { isAssuranceTooLow } from "../journey/rules/state/assurance.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { journeyResource } from "../journey/rules/projection.ts"
import { reasonsOf } from "../journey/rules/state/reasons.ts"
import type { CaseFacts, HeardMessage, KeptPicture } from "./CaseFiles.ts"

/** Where things are, as seen from outside. */
export interface CasePaths {
  readonly picture: (picture: KeptPicture) => string
  readonly video: string
  readonly frame: (number: number) => string
  readonly timeline: string
}

export const caseFile = (
  journey: Journey,
  facts: CaseFacts,
  paths: CasePaths,
  dealerCompanyName: string | null
): CaseFileResource => {
  const { address, applicationKeptUntil, customerKeptUntil, mediaKeptUntil, pictures, start } = facts
  return {
    journey: journeyResource(journey),
    erased: start === null,
    customer: start && customerOf(start),
    vehicle: start && vehicleOf(start),
    seller: start && sellerOf(start, dealerCompanyName),
    handover: {
      type: journey.handoverType,
      notes: start?.delivery.notes ?? null,
      dealerDirectoryId: start?.vehicle.dealerDirectoryId ?? null,
      address: address && confirmedAddress(address.value, address.at)
    },
    finance: start && financeOf(start),
    consents: [...(start === null ? [] : consentsOfStart(start, journey.createdAt)), ...consentsOfCustomer(journey)],
    identity: identityOf(journey, facts),
    video: videoOf(journey, facts, paths),
    pictures: pictures.map((one) => pictureOf(one, journey.id, paths)),
    mediaKeptUntil: timestampOrNull(mediaKeptUntil),
    customerKeptUntil: timestampOrNull(customerKeptUntil),
    applicationKeptUntil: timestampOrNull(applicationKeptUntil),
    timeline: paths.timeline
  }
}

const customerOf = ({ customer }: StoredStart): NonNullable<CaseFileResource["customer"]> =>
  shownOf(customer, shownToTeam.customer, "CUSTOMER")

const vehicleOf = ({ vehicle }: StoredStart): NonNullable<CaseFileResource["vehicle"]> =>
  shownOf(vehicle, shownToTeam.vehicle, "VEHICLE")

const sellerOf = (start: StoredStart, dealerCompanyName: string | null): NonNullable<CaseFileResource["seller"]> => ({
  ...shownOf(start, shownToTeam, "SELLER"),
  ...shownOf(start.vehicle, shownToTeam.vehicle, "SELLER"),
  // The start may have written the id in capitals.
  dealerCompanyId: start.vehicle.dealerCompanyId?.toLowerCase() ?? null,
  dealerCompanyName
})

/** The lender and the figures of every shape that names them (F7), and of an application everything else that it says. */
const financeOf = (start: StoredStart): CaseFileResource["finance"] => {
  if (!("finance" in start) || start.finance === undefined) return null
  const finance: AnySection<"finance"> = start.finance
  const others = Object.entries(finance).filter(([name]) => memberOf(shownToTeam.finance, name) === "APPLICATION")
  return {
    ...shownOf(finance, shownToTeam.finance, "FINANCE"),
    application: others.length === 0 ? null : Object.fromEntries(others)
  }
}

const consentsOfStart = (start: StoredStart, startedAt: number): ReadonlyArray<CaseConsent> => {
  const ofApplication = "finance" in start && start.finance !== undefined && "consents" in start.finance
  const application: ReadonlyArray<CaseConsent> =
    ofApplication && start.finance.consents !== undefined
      ? [
          {
            about: "APPLICATION",
            by: "CALLER",
            answer: Object.values(start.finance.consents).includes(false) ? "REFUSED" : "AGREED",
            notice: null,
            at: timestamp(startedAt),
            details: start.finance.consents
          }
        ]
      : []
  if (start.shape !== "FINANCE_SALE") return application
  const { biometricConsent, capturedAt: photoCapturedAt, source: photoSource } = start.customerFace
  const { capturedAt, given: _, noticeVersion, ...recorded } = biometricConsent
  const details = { ...recorded, photoSource, ...(photoCapturedAt !== undefined && { photoCapturedAt }) }
  return [
    ...application,
    {
      about: "CALLERS_PHOTO",
      by: "CALLER",
      answer: "AGREED",
      notice: noticeVersion,
      at: timestamp(Date.parse(capturedAt)),
      details
    }
  ]
}

const stepsOfConsent = { identity: "IDENTITY_CHECK", video: "HANDOVER_VIDEO" } as const

/**
 * What the customer answered last about each step, and before a withdrawal what was agreed to (D7). It is no personal data, and stays after
 * an erasure.
 */
const consentsOfCustomer = ({ consents = {} }: Journey): ReadonlyArray<CaseConsent> =>
  (["identity", "video"] as const).flatMap((step) =>
    answersOf(consents[step]).map(({ answer, at, notice }): CaseConsent => ({
      about: stepsOfConsent[step],
      by: answer === "AGREED" && notice === noticeOfStart ? "CALLER" : "CUSTOMER",
      answer,
      notice,
      at: timestamp(at),
      details: {}
    }))
  )

const answersOf = (consent: Consent | undefined): ReadonlyArray<Omit<Consent, "agreed">> => {
  if (consent === undefined) return []
  const { agreed } = consent
  return agreed === undefined ? [consent] : [{ ...agreed, answer: "AGREED" }, consent]
}

const verdictsOfIdentity: { readonly [Tag in JourneyMessageTag]?: string } = {
  IdentityVerified: "VERIFIED",
  IdentityUnderReview: "UNDER_REVIEW",
  IdentityFailed: "FAILED",
  IdentityUnavailable: "UNAVAILABLE"
}

const verdictsOfVideo: { readonly [Tag in JourneyMessageTag]?: CaseVideoVerdict["verdict"] } = {
  VideoMatched: "MATCH",
  VideoUnclear: "UNCLEAR",
  VideoNotMatched: "MISMATCH",
  TeamApprovesVideo: "APPROVED",
  TeamRejectsVideo: "REJECTED"
}

/** The messages that a case file tells of. */
export const messagesOfCase: ReadonlyArray<string> = [
  ...Object.keys(verdictsOfIdentity),
  ...Object.keys(verdictsOfVideo),
  "VideoUploaded"
]

/** A check that reached less than the company asks for is a review, whatever its message is called (D8). */
const identityVerdict = (journey: Journey, message: HeardMessage["message"]): string | undefined =>
  message._tag === "IdentityVerified" && isAssuranceTooLow(journey, message)
    ? "UNDER_REVIEW"
    : verdictsOfIdentity[message._tag]

const identityOf = (journey: Journey, { attempts, heard }: CaseFacts): CaseFileResource["identity"] => {
  const { identity } = journey
  if (identity === null) return null
  const said = heard.flatMap(({ at, message, messageId, sender }) => {
    const verdict = identityVerdict(journey, message)
    if (verdict === undefined) return []
    const attempt = attempts.find(({ id }) => id === messageId)
    return [
      {
        id: attempt?.id ?? null,
        at,
        sender,
        comparison: attempt?.verdict ?? null,
        verdict,
        // The rules give a verification its reason for the case that it goes to review.
        reasons: verdict === "VERIFIED" ? [] : reasonsOf(message)
      }
    ]
  })
  const unheard = attempts
    .filter(({ id }) => !said.some((one) => one.id === id))
    .map(({ at, id, verdict }) => ({ id, at, sender: "identity", comparison: verdict, verdict: null, reasons: [] }))
  const all = [...said, ...unheard].toSorted((one, other) => one.at - other.at)
  return {
    status: identity.status === "NOT_ASKED" ? null : identity.status,
    requestedAt: "requestedAt" in identity ? timestampOrNull(identity.requestedAt) : null,
    verifiedAt: identity.status === "VERIFIED" ? timestamp(identity.verifiedAt) : null,
    ...("assurance" in identity ? { assurance: identity.assurance } : {}),
    reasons: ("reasons" in identity ? identity.reasons : undefined) ?? [],
    attempts: all.map((one): CaseIdentityAttempt => ({
      id: one.id,
      at: timestamp(one.at),
      sender: one.sender,
      comparison: one.comparison,
      verdict: one.verdict,
      reasons: one.reasons
    }))
  }
}

const videoOf = (
  { handover, id }: Journey,
  { frames, heard, pictures, reference, turns, uploads }: CaseFacts,
  paths: CasePaths
): CaseFileResource["video"] =>
  handover && {
    sent: heard.filter(({ message }) => message._tag === "VideoUploaded").length,
    mismatches: handover.mismatches,
    reasons: handover.reasons ?? [],
    uploads: uploads.map(({ begunAt, completedAt, ...upload }) => ({
      ...upload,
      begunAt: timestamp(begunAt),
      completedAt: timestampOrNull(completedAt)
    })),
    verdicts: heard.flatMap(({ at, message, sender }) => {
      const verdict = verdictsOfVideo[message._tag]
      return verdict === undefined ? [] : [{ at: timestamp(at), sender, verdict, reasons: reasonsOf(message) }]
    }),
    path: uploads.some(({ completedAt }) => completedAt !== null) ? paths.video : null,
    frames: frames.map((frame) => ({ ...frame, path: paths.frame(frame.number) })),
    turns,
    reference: reference && {
      name: reference.name,
      attemptId: reference.of === id ? null : reference.of,
      path: pictures.some(({ name, of }) => name === reference.name && of === reference.of)
        ? paths.picture(reference)
        : null,
      replaced: reference.replaced
    }
  }

const pictureOf = (picture: KeptPicture, journeyId: JourneyId, paths: CasePaths): CasePicture => ({
  name: picture.name,
  attemptId: picture.of === journeyId ? null : picture.of,
  path: paths.picture(picture)
})
