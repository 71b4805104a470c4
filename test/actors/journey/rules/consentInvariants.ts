/**
 * What must hold of consents and of what a verification rests on, read off a history: D7 and D8. Not a test itself.
 */
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { stepAskedOf } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { statesOf, steps, wrongs, type Invariant } from "./history.ts"

const hasDeletionAhead = ({ owed }: Journey): boolean => owed.some(({ kind }) => kind === "DELETE_BIOMETRICS")

/** A clear match of faces verifies nobody who did not agree; a provider's word and a person's need no consent here. */
export const verifiesWithConsentOnly: Invariant = (history) =>
  steps(history).flatMap(({ after, before, letter: { message } }) => {
    if (message._tag !== "IdentityVerified" || after.identity?.status !== "VERIFIED") return []
    const { assurance = "NONE", check, reviewed } = message
    const isMatchOfFaces = check !== undefined && (assurance === "FACE_MATCH" || assurance === "DOCUMENT")
    return wrongs([
      isMatchOfFaces && reviewed === undefined && before.consents?.identity?.answer !== "AGREED",
      "verified by a comparison of faces that the customer did not agree to"
    ])
  })

const said: ReadonlySet<string> = new Set(["ConsentGiven", "ConsentRefused", "ConsentWithdrawn"])

export const keepsWhatTheCustomerSaid: Invariant = (history) =>
  steps(history).flatMap(({ after, before, letter: { at, message } }) => {
    if (message._tag === "ConsentGiven" || message._tag === "ConsentRefused") {
      const kept = after.consents?.[message.step]
      const answer = message._tag === "ConsentGiven" ? "AGREED" : "REFUSED"
      return wrongs([
        kept?.answer !== answer || kept.notice !== message.notice || kept.at !== at,
        `${message._tag} is not kept`
      ])
    }
    return wrongs([
      !said.has(message._tag) && JSON.stringify(before.consents) !== JSON.stringify(after.consents),
      `${message._tag} changed a consent`
    ])
  })

/** From the withdrawal on the deletion is owed until it is done, whatever else happens, the journey's end included. */
export const deletesWhatIsWithdrawn: Invariant = (history) => {
  let isAhead = false
  return steps(history).flatMap(({ after, before, letter: { message } }) => {
    const serials = before.owed.flatMap((one) => (one.kind === "DELETE_BIOMETRICS" ? [one.serial] : []))
    if (message._tag === "ConsentWithdrawn") isAhead = true
    if (message._tag === "OwedDone" && serials.includes(message.serial)) isAhead = false
    return wrongs([hasDeletionAhead(after) !== isAhead, `after ${message._tag} a deletion is owed: ${!isAhead}`])
  })
}

/** A deletion that is still owed goes back to the last moment at which nobody could give anything anew, and never further. */
export const leavesWhatIsGivenAnew: Invariant = (history) => {
  let since: number | null = null
  return steps(history).flatMap(({ after, letter: { at, message } }) => {
    if (message._tag === "ConsentWithdrawn") since = null
    const isCameraOpen = stepAskedOf(after) === "RECORD_VIDEO" || stepAskedOf(after) === "VERIFY_IDENTITY"
    if (isCameraOpen || message._tag === "ReplaceFace") since ??= at
    const expected = after.sandbox?.clock === undefined ? (since ?? undefined) : undefined
    return after.owed.flatMap((one) =>
      one.kind === "DELETE_BIOMETRICS"
        ? wrongs([
            one.before !== expected,
            `after ${message._tag} a deletion reaches to ${one.before}, not ${expected}`
          ])
        : []
    )
  })
}

export const asksNobodyWhoWithdrew: Invariant = (history) =>
  steps(history).flatMap(({ after, letter: { message } }) => {
    const isAsked = stepAskedOf(after) === "RECORD_VIDEO" || stepAskedOf(after) === "VERIFY_IDENTITY"
    const isChecked = after.handover?.status === "VIDEO_UPLOADED"
    return wrongs([
      message._tag === "ConsentWithdrawn" && (isAsked || isChecked),
      "a step with a camera is open after a withdrawal"
    ])
  })

/** Only a person takes a refused or withdrawn check further. */
export const leavesItToTheTeam: Invariant = (history) =>
  steps(history).flatMap(({ after, before, letter: { message } }) => {
    const answer = before.consents?.identity?.answer
    const isOver = before.identity?.status === "UNDER_REVIEW" && (answer === "REFUSED" || answer === "WITHDRAWN")
    const isOfCheck = "check" in message && typeof message.check === "number" && !("reviewed" in message)
    return wrongs([
      isOver && isOfCheck && after.identity?.status !== "UNDER_REVIEW",
      `${message._tag} of a check decided what the customer had refused`
    ])
  })

const rank = ["NONE", "FACE_MATCH", "DOCUMENT", "PROVIDER"]

export const completesWithTheLeastOnly: Invariant = (history) => [
  ...steps(history).flatMap(({ after, letter: { message } }) => {
    if (message._tag !== "IdentityVerified" || message.reviewed !== undefined || message.least === undefined) return []
    const isLess = rank.indexOf(message.assurance ?? "NONE") < rank.indexOf(message.least)
    return wrongs([isLess && after.identity?.status === "VERIFIED", "verified below the company's least"])
  }),
  ...statesOf(history).flatMap(({ journey: { identity } }) =>
    wrongs([
      identity !== null && "assurance" in identity && !["VERIFIED", "UNDER_REVIEW"].includes(identity.status),
      `assurance at ${identity?.status}`
    ])
  )
]

export const consentInvariants: ReadonlyArray<{
  readonly rule: string
  readonly says: string
  readonly holds: Invariant
}> = [
  { rule: "D7", says: "nobody is verified by faces without having agreed", holds: verifiesWithConsentOnly },
  { rule: "D7", says: "what the customer said is kept, and nobody else changes it", holds: keepsWhatTheCustomerSaid },
  { rule: "D7", says: "what was withdrawn is deleted, also after the end", holds: deletesWhatIsWithdrawn },
  { rule: "D7", says: "what was given anew is left by a deletion that comes late", holds: leavesWhatIsGivenAnew },
  { rule: "D7", says: "who withdrew is not before a camera", holds: asksNobodyWhoWithdrew },
  { rule: "D7", says: "what was refused is for the team alone", holds: leavesItToTheTeam },
  { rule: "D8", says: "less than the company's least needs a person", holds: completesWithTheLeastOnly }
]
