/**
 * Random lives of journeys: facts of a start and the letters that follow, in every shape, place, mode and scenario,
 * with doubled letters, letters out of order and time that moves. A sequence is concrete: each letter has its id, its
 * message and its time. So one sequence can be played through the pure rules (`histories.ts`) and sent to a real actor:
 *
 * - write `record(decideStart(facts, startedAt), startedAt, newId)`, as a start does;
 * - for each letter set the clock to `letter.at` and send `letter.message` under `letter.messageId`, with the alarms switched
 *   off: the letters have what timers, the sandbox and the service itself would send;
 * - the row must equal `history.journey`, the events `comparable(history.events)`, and each answer `entry.outcome`
 *   (`Repeated` is answered with the journey as it is);
 * - give the facts a fresh `id` first: a failing sequence is played again and again while it shrinks.
 *
 * Not a test itself. What must hold for every history is in `invariants.ts`.
 */
import * as fc from "fast-check"
import { mayWithdraw } from "../../../../src/actors/journey/rules/state/consent.ts"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { isExternal } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { Decision } from "../../../../src/schema/journey/statuses.ts"
import {
  countingIds,
  day,
  everyMessage,
  financeDetailsOf,
  impossible,
  ordinaryMessages,
  outside,
  places,
  possible,
  scenarioNames,
  second,
  shapes,
  started,
  startedAt
} from "./startedJourneys.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"
import { entriesOf, type Letter, type Sequence } from "./histories.ts"

/** Text that would be found if it leaked into an event. */
const marker = (member: string) =>
  fc.integer({ min: 0, max: 0xffffff }).map((n) => `${member}!${n.toString(16).padStart(6, "0")}`)

/** Ids neither favour small values nor shrink to them, or two of them would be equal. */
const uniqueId = fc.noShrink(fc.noBias(fc.uuid({ version: 7 })))

const check = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(possible, outside) },
  { weight: 1, arbitrary: fc.constant(impossible) }
)

/** Facts of starts: every shape, place, mode and scenario. Marked texts stand for what no event may tell. */
export const startFacts: fc.Arbitrary<StartFacts> = fc
  .record({
    id: uniqueId.map((id) => JourneyId.make(id)),
    companyId: uniqueId.map((id) => CompanyId.make(id)),
    customerReference: uniqueId,
    isNewCustomer: fc.boolean(),
    externalReference: fc.option(fc.stringMatching(/^[a-z0-9]{1,12}$/)),
    shape: fc.constantFrom(...shapes),
    handoverType: fc.constantFrom(...places),
    inventoryVehicleId: fc.option(marker("stock")),
    panelName: marker("panelName"),
    panelReference: marker("panelReference"),
    lender: fc.option(marker("lender")),
    decision: fc.option(fc.constantFrom(...Decision.literals, "APPROVED" as const), { freq: 1 }),
    check,
    identityWindowDays: fc.integer({ min: 1, max: 90 }),
    handoverWindowDays: fc.integer({ min: 1, max: 90 }),
    sandbox: fc.option(
      fc.record({
        scenario: fc.option(fc.constantFrom(...scenarioNames), { freq: 3 }),
        stepMillis: fc.option(fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * second)),
        callerStepMillis: fc.constant(30 * second)
      }),
      { freq: 2 }
    )
  })
  .map(({ decision, lender, panelName, panelReference, ...facts }) => {
    const details = financeDetailsOf(facts.shape)
    const isWithCaller = facts.shape === "FINANCE_ALREADY_SUBMITTED"
    const told = isWithCaller ? { panelName, panelReference, lender } : { lender }
    return Object.assign(facts, {
      livemode: facts.sandbox === null,
      decision: isWithCaller ? decision : null,
      financeDetails: details && Object.assign(details, told)
    })
  })

/** Results that name the ask they are about, and verdicts that name the attempt: of now, of before, of never. */
const numberedResults: ReadonlyArray<JourneyMessage> = [1, 2, 3].flatMap((number): Array<JourneyMessage> => [
  { _tag: "IdentityVerified", check: number },
  { _tag: "IdentityUnderReview", check: number },
  { _tag: "IdentityFailed", check: number },
  { _tag: "IdentityVerified", check: 1, reviewed: number },
  { _tag: "IdentityFailed", check: 1, reviewed: number },
  { _tag: "IdentityVerified", check: number, assurance: "FACE_MATCH", least: "FACE_MATCH" },
  { _tag: "IdentityVerified", check: number, assurance: "DOCUMENT", least: "PROVIDER" },
  { _tag: "IdentityVerified", check: number, assurance: "PROVIDER", least: "PROVIDER" },
  { _tag: "IdentityUnderReview", check: number, assurance: "FACE_MATCH", reasons: ["NAME_DIFFERS"] }
])

/** Any message at all, whoever would send it. */
export const messages: fc.Arbitrary<JourneyMessage> = fc.constantFrom(...everyMessage, ...numberedResults)

/** Picks below choose the usual turn; as many others choose among all the turns there are, which are no more. */
const usualPicks = 12

/** A letter before it is known what the journey is at then. */
type Choice =
  | { readonly kind: "useful"; readonly pick: number; readonly after: number }
  | { readonly kind: "any"; readonly message: JourneyMessage; readonly after: number }
  | { readonly kind: "again"; readonly pick: number; readonly after: number }
  /** Time moves to the next alarm, and what is due then arrives. */
  | { readonly kind: "alarm" }

const forward = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 * second }) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 12 }).map((days) => days * day) }
)
const withStepsBack = fc.oneof(
  { weight: 9, arbitrary: forward },
  { weight: 1, arbitrary: fc.integer({ min: -60 * second, max: -1 }) }
)

const choiceOf = (after: fc.Arbitrary<number>): fc.Arbitrary<Choice> => {
  const pick = fc.nat({ max: 2 * usualPicks - 1 })
  return fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant("useful" as const), pick, after }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("any" as const), message: fc.constantFrom(...ordinaryMessages), after })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("any" as const), message: messages, after }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), pick, after }) },
    { weight: 1, arbitrary: fc.constant<Choice>({ kind: "alarm" }) }
  )
}

const panelDecides = (decision: "APPROVED" | "REFERRED"): JourneyMessage => ({
  _tag: "PanelDecision",
  decision,
  check: possible
})

/**
 * Messages that have a meaning where the journey is, the one that leads onward first and most often. Written from the
 * tables, not from the sandbox's script, so that long lives occur whatever the script does.
 */
const usefulMessages = (journey: Journey): ReadonlyArray<JourneyMessage> => {
  const { finance, handover, identity, shape } = journey
  const useful: Array<JourneyMessage> = []
  const isPending = finance?.status === "SUBMITTED" || finance?.status === "REFERRED"
  if (isPending && shape === "FINANCE_SUBMIT_VIA_MIRA") {
    if (finance.status === "SUBMITTED" && !finance.accepted) {
      useful.push({ _tag: "PanelAccepted", check: possible }, { _tag: "PanelAccepted", check: impossible })
      useful.push({ _tag: "PanelAccepted", check: outside })
    }
    useful.push(panelDecides("APPROVED"), panelDecides("REFERRED"))
  }
  if (isPending && shape === "FINANCE_ALREADY_SUBMITTED") {
    useful.push({ _tag: "FinanceDecision", decision: "APPROVED" }, { _tag: "FinanceDecision", decision: "REFERRED" })
  }
  if (identity?.status === "UNAVAILABLE") {
    useful.push({ _tag: "TeamResendsCheck", check: possible }, { _tag: "TeamResendsCheck", check: outside })
  }
  if (identity?.status === "BEING_STARTED") {
    const { check = 0 } = identity
    useful.push(
      { _tag: "IdentityCheckStarted", check },
      { _tag: "IdentityUnavailable", check, reason: "PROVIDER_ERROR" }
    )
    useful.push({ _tag: "IdentityVerified", check }, { _tag: "IdentityFailed", check })
    useful.push({ _tag: "IdentityUnderReview", check }, { _tag: "IdentityCheckStarted", check: check - 1 })
  }
  if (identity?.status === "REQUESTED" || identity?.status === "FAILED" || identity?.status === "UNDER_REVIEW") {
    useful.push({ _tag: "IdentityVerified" }, { _tag: "IdentityUnderReview" }, { _tag: "IdentityFailed" })
    useful.push({ _tag: "IdentityUnavailable", reason: "PROVIDER_ERROR" })
    const { attempts, check = 0 } = identity
    useful.push(
      { _tag: "IdentityFailed", check, reviewed: attempts },
      { _tag: "IdentityVerified", check, reviewed: attempts }
    )
    useful.push(
      { _tag: "ConsentGiven", step: "identity", notice: "identity-1-en" },
      { _tag: "ConsentRefused", step: "identity", notice: "identity-1-en" },
      { _tag: "IdentityVerified", check, assurance: "FACE_MATCH", least: "FACE_MATCH" },
      { _tag: "IdentityVerified", check, assurance: "FACE_MATCH", least: "DOCUMENT" },
      { _tag: "IdentityVerified", check, assurance: "PROVIDER", least: "PROVIDER" },
      { _tag: "IdentityFailed", check }
    )
    useful.push(
      { _tag: "IdentityVerified", check: check - 1 },
      { _tag: "IdentityFailed", check, reviewed: attempts - 1 }
    )
  }
  if (identity?.status === "VERIFIED" && handover === null) useful.push({ _tag: "HandoverCreated" })
  if (handover?.status === "AWAITING_LOCATION") useful.push({ _tag: "LocationConfirmed" })
  if (handover?.status === "AWAITING_VIDEO") useful.push({ _tag: "VideoUploaded" })
  if (handover?.status === "AWAITING_VIDEO" && shape === "FINANCE_SALE") useful.push({ _tag: "ReplaceFace" })
  if (handover?.status === "VIDEO_UPLOADED") {
    useful.push({ _tag: "VideoMatched" }, { _tag: "VideoNotMatched" }, { _tag: "VideoUnclear" })
  }
  if (handover?.status === "UNDER_REVIEW") useful.push({ _tag: "TeamApprovesVideo" }, { _tag: "TeamRejectsVideo" })
  if (handover?.status === "AWAITING_VIDEO") {
    useful.push(
      { _tag: "VideoUploaded" },
      { _tag: "ConsentGiven", step: "video", notice: "video-1-en" },
      { _tag: "ConsentRefused", step: "video", notice: "video-1-en" }
    )
  }
  if (mayWithdraw(journey)) useful.push({ _tag: "ConsentWithdrawn", notice: "withdrawal-1-en" })
  // The books of whoever does what is owed, once something else can lead onward.
  for (const { kind, serial } of journey.owed.filter(isExternal)) {
    if (kind === "DELETE_BIOMETRICS") useful.push({ _tag: "OwedDone", serial })
    useful.push({ _tag: "OwedBegun", serial }, { _tag: "OwedFailed", serial, definite: false })
    useful.push({ _tag: "OwedFailed", serial, definite: true })
  }
  return useful
}

/**
 * Low picks choose the usual turn, the others any. The usual turn of most lives leads onward; an unlucky life takes the
 * second turn, so that misfortunes come in a row.
 */
const picked = <A>(list: ReadonlyArray<A>, pick: number, isUnlucky: boolean): A | undefined =>
  list[pick < usualPicks ? (isUnlucky && list.length > 1 ? 1 : 0) : pick % list.length]

/** Makes a sequence of choices concrete by playing it. */
const written = (facts: StartFacts, isUnlucky: boolean, choices: ReadonlyArray<Choice>): Sequence => {
  const letters: Array<Letter> = []
  let journey = started(facts, startedAt).journey
  let at = startedAt
  for (const choice of choices) {
    const letter = letterOf(choice, { journey, letters, now: at, isUnlucky })
    if (letter === undefined) continue
    letters.push(letter)
    at = letter.at
    journey = entriesOf(journey, letter, choice.kind === "again", countingIds()).at(-1)?.after ?? journey
  }
  return { facts, startedAt, letters }
}

interface Moment {
  readonly journey: Journey
  readonly letters: ReadonlyArray<Letter>
  readonly now: number
  readonly isUnlucky: boolean
}

const letterOf = (choice: Choice, { isUnlucky, journey, letters, now }: Moment): Letter | undefined => {
  const messageId = `00000000-0000-4000-8000-${letters.length.toString().padStart(12, "0")}`
  switch (choice.kind) {
    case "useful": {
      const message = picked(usefulMessages(journey), choice.pick, isUnlucky)
      return message && { messageId, message, at: now + choice.after }
    }
    case "any":
      return { messageId, message: choice.message, at: now + choice.after }
    case "again": {
      const letter = letters[letters.length - 1 - (choice.pick % Math.max(1, letters.length))]
      return letter && { ...letter, at: now + choice.after }
    }
    case "alarm": {
      const at = Math.max(now, nextAlarm(journey) ?? now)
      const message = dueMessage(journey, at)
      return message === null ? undefined : { messageId, message, at }
    }
  }
}

export const mostLetters = 25

/** Sequences of up to 25 letters. A real clock under test may not be set back: `steady` leaves that out. */
export const sequences = (options: { readonly clock: "steady" | "steps back" }): fc.Arbitrary<Sequence> =>
  fc
    .tuple(
      startFacts,
      fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      fc.array(choiceOf(options.clock === "steady" ? forward : withStepsBack), { maxLength: mostLetters, size: "max" })
    )
    .map(([facts, isUnlucky, choices]) => written(facts, isUnlucky, choices))
