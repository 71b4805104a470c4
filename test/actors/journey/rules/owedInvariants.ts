/**
 * What must hold of a journey's dealings with the outside world, read off a history: credit (INV-9), work that others do
 * (INV-6, INV-17, INV-20), causes of mail (INV-20) and results of checks (D5). Not a test itself.
 */
import { isDeepStrictEqual } from "node:util"
import { chargedWallets, chargesOf, releasesHolds } from "../../../../src/actors/journey/rules/billing.ts"
import type { WalletName } from "../../../../src/schema/company/Wallet.ts"
import type { ExternalEffect, Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { dueAtOf, isExternal, retryPolicies } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { holdsFor } from "../../../../src/actors/journey/rules/preconditions.ts"
import { nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import { logOf, statesOf, steps, wrongs, type Invariant } from "./history.ts"

const kindsOfWork = Object.keys(retryPolicies) as ReadonlyArray<ExternalEffect["kind"]>
const workOf = ({ owed }: Journey): ReadonlyArray<ExternalEffect> => owed.filter(isExternal)

/** The wallets as the commits of a history would move them: what is held for the journey, and what was charged. */
const credit = (history: Parameters<Invariant>[0]) => {
  const first = history.started.journey
  // A start that ends at once asks for nothing and holds nothing (F2).
  const promised = first.livemode && first.status === "ACTIVE" ? holdsFor(first.shape).map(({ wallet }) => wallet) : []
  const held = new Set<WalletName>(promised)
  const charged: Array<WalletName> = []
  const unheld: Array<WalletName> = []
  const charge = (wallets: ReadonlyArray<WalletName>) => {
    for (const wallet of wallets) (held.delete(wallet) ? charged : unheld).push(wallet)
  }
  charge(chargesOf(null, first))
  for (const { after, before } of steps(history)) {
    charge(chargesOf(before, after))
    if (releasesHolds(before, after)) held.clear()
  }
  return { promised, held: [...held], charged, unheld }
}

const panelHasAnswered: ReadonlySet<string> = new Set(["PanelAccepted", "PanelDecision"])

export const chargesWhatIsAskedOnce: Invariant = (history) => {
  const { charged, held, promised, unheld } = credit(history)
  const { journey } = history
  const isAsked = logOf(history).includes("identity.requested")
  const isSubmitted =
    journey.shape === "FINANCE_SUBMIT_VIA_MIRA" &&
    steps(history).some(({ letter }) => panelHasAnswered.has(letter.message._tag))
  return wrongs(
    [unheld.length > 0, `charged and not held: ${unheld.join()}`],
    [new Set(charged).size !== charged.length, `charged twice: ${charged.join()}`],
    [!journey.livemode && charged.length + held.length > 0, "a test journey touched a wallet"],
    [journey.livemode && charged.includes("IDENTITY") !== isAsked, "an identity check is charged unlike asked for"],
    [journey.livemode && charged.includes("APPLICATION") !== isSubmitted, "an application is charged unlike taken"],
    [journey.status !== "ACTIVE" && held.length > 0, `held after the end: ${held.join()}`],
    [
      journey.status === "ACTIVE" && charged.length + held.length !== promised.length,
      "what was promised is neither held nor charged"
    ],
    [!isDeepStrictEqual(charged.toSorted(), chargedWallets(journey).toSorted()), "the state tells of other charges"]
  )
}

/** Whether the journey is where this work may be. */
const isWanted = (
  kind: ExternalEffect["kind"],
  { consents, finance, handover, identity, livemode, status }: Journey
): boolean => {
  // A customer's own wish is carried out in every mode, and after the end (D7). It may be under way when they agree again.
  if (kind === "DELETE_BIOMETRICS") {
    return consents?.identity?.answer === "WITHDRAWN" || consents?.video?.answer === "WITHDRAWN"
  }
  if (!livemode || status !== "ACTIVE") return false
  switch (kind) {
    case "SUBMIT_APPLICATION":
      return finance?.status === "SUBMITTED" && !finance.accepted
    case "START_IDENTITY_CHECK":
      // After a callback that was faster than the provider's answer, the page is still wanted.
      return ["BEING_STARTED", "FAILED", "UNDER_REVIEW"].includes(identity?.status ?? "")
    case "CHECK_VIDEO":
      return handover?.status === "VIDEO_UPLOADED"
  }
}

export const owesWorkOnlyWhereItBelongs: Invariant = (history) =>
  statesOf(history).flatMap(({ journey }) => {
    const work = workOf(journey)
    const alarm = nextAlarm(journey)
    return wrongs(
      [
        work.some(({ kind }) => kind !== "DELETE_BIOMETRICS" && !isWanted(kind, journey)),
        `${work.map(({ kind }) => kind).join()} at the wrong time`
      ],
      [new Set(work.map(({ kind }) => kind)).size !== work.length, "one kind of work twice"],
      [
        work.some((one) => (alarm ?? Number.POSITIVE_INFINITY) > Math.max(journey.createdAt, dueAtOf(one))),
        "nobody wakes for what is owed"
      ]
    )
  })

/** Whether the journey cannot go on without this work. */
const isNeeded = (kind: ExternalEffect["kind"], journey: Journey): boolean =>
  isWanted(kind, journey) && (kind !== "START_IDENTITY_CHECK" || journey.identity?.status === "BEING_STARTED")

/** Asks of the outside provider to start a check, one for each time that the check began to be started. */
const startsAsked = (history: Parameters<Invariant>[0]): number =>
  [{ before: null, after: history.started.journey }, ...steps(history)].filter(isStartAsked).length

const isStartAsked = ({ after, before }: { readonly before: Journey | null; readonly after: Journey }): boolean =>
  after.identity?.status === "BEING_STARTED" && before?.identity?.status !== "BEING_STARTED"

/** Work leaves the state by what came of it alone; only the start of a check has nothing else to tell. */
export const forgetsNoWork: Invariant = (history) => {
  const done = new Set(
    steps(history).flatMap(({ letter: { message } }) => (message._tag === "OwedDone" ? [message.serial] : []))
  )
  return statesOf(history).flatMap(({ journey }) =>
    kindsOfWork.flatMap((kind) => {
      const isOwed = workOf(journey).some((one) => one.kind === kind)
      return wrongs([!isOwed && done.size === 0 && isNeeded(kind, journey), `${kind} is wanted and nobody does it`])
    })
  )
}

/** Providers know a piece of work by its serial: another serial is another application, another check. */
export const asksOncePerCause: Invariant = (history) => {
  const log = logOf(history)
  const told = (type: string) => log.filter((one) => one === type).length
  const all = statesOf(history).flatMap(({ journey }) => workOf(journey))
  const serials = (kind: ExternalEffect["kind"]) =>
    new Set(all.flatMap((one) => (one.kind === kind ? [one.serial] : []))).size
  const causes = [
    ...history.started.mails.map(({ serial }) => serial),
    ...steps(history).flatMap(({ mails }) => mails.map(({ serial }) => serial))
  ]
  const works = new Set(all.map(({ serial }) => serial))
  return wrongs(
    [serials("SUBMIT_APPLICATION") > 1, "a second application"],
    [serials("START_IDENTITY_CHECK") > startsAsked(history), "more checks than asks"],
    [serials("CHECK_VIDEO") > told("delivery.video_uploaded"), "more checks than videos"],
    [new Set(causes).size !== causes.length, `a cause of two mails: ${causes.join()}`],
    [causes.some((serial) => works.has(serial)), "a mail and work of one serial"]
  )
}

/** An attempt is one actor's until its time is over, and keeping the books changes nothing anybody is told. */
export const keepsItsBooks: Invariant = (history) =>
  steps(history).flatMap(({ after, before, events, letter: { at, message }, mails }) => {
    if (message._tag !== "OwedBegun" && message._tag !== "OwedDone") return []
    const [was, is] = [before, after].map((journey) => workOf(journey).find(({ serial }) => serial === message.serial))
    const others = (journey: Journey) => ({
      ...journey,
      owed: journey.owed.filter(({ serial }) => serial !== message.serial)
    })
    return wrongs(
      [events.length + mails.length > 0, `${message._tag} told something`],
      [!isDeepStrictEqual(others(before), others(after)), `${message._tag} changed something else`],
      [was === undefined, `${message._tag} of nothing owed`],
      [message._tag === "OwedDone" && is !== undefined, "done and still owed"],
      [
        message._tag === "OwedBegun" &&
          was !== undefined &&
          (dueAtOf(was) > at ||
            is?.dueAt !== at + retryPolicies[was.kind].attemptWithinMillis ||
            is.attempts !== (was.attempts ?? 0) + 1),
        "begun when somebody may be at it, or for how long nobody knows"
      ]
    )
  })

export const hearsOnlyItsOwnResults: Invariant = (history) => {
  const askedIn = (entry: Pick<typeof history, "events">, before: Journey | null, after: Journey): number =>
    isStartAsked({ before, after })
      ? 1
      : before?.identity?.status === "BEING_STARTED"
        ? 0
        : logOf(entry).filter((type) => type === "identity.requested").length
  let asks = askedIn(history.started, null, history.started.journey)
  return history.entries.flatMap((entry) => {
    const { after, before, letter, outcome } = entry
    const { message } = letter
    const check = "check" in message && typeof message.check === "number" ? message.check : undefined
    const reviewed = "reviewed" in message ? message.reviewed : undefined
    const { identity } = before
    const isReviewed = reviewed === undefined || (identity?.status === "UNDER_REVIEW" && identity.attempts === reviewed)
    const isStep = outcome._tag === "Step"
    const isOfAsk = check === undefined || check === asks
    asks += askedIn(entry, before, after)
    const number = after.identity !== null && "check" in after.identity ? after.identity.check : 0
    return wrongs(
      [isStep && !isOfAsk, `a result of check ${check} counted for another`],
      [isStep && !isReviewed, "a verdict counted on what was not under review"],
      [after.identity !== null && number !== asks, `check ${number} after ${asks} asks`]
    )
  })
}

/** Each with the rule it is of: the invariants of the service's trust, or a decision. */
export const owedInvariants: ReadonlyArray<{
  readonly rule: string
  readonly says: string
  readonly holds: Invariant
}> = [
  {
    rule: "INV-9",
    says: "what is asked for is charged once, and what never is is given back",
    holds: chargesWhatIsAskedOnce
  },
  {
    rule: "INV-6",
    says: "others are asked for nothing after the end, or where it is not wanted",
    holds: owesWorkOnlyWhereItBelongs
  },
  { rule: "INV-17", says: "what others have to do stays owed until it is told what came of it", holds: forgetsNoWork },
  {
    rule: "INV-20",
    says: "no second application, no check without an ask, no second mail of a cause",
    holds: asksOncePerCause
  },
  { rule: "INV-20", says: "an attempt is nobody else's while it lasts", holds: keepsItsBooks },
  {
    rule: "D5",
    says: "a result counts for the ask, and a verdict for the review, that it is about",
    holds: hearsOnlyItsOwnResults
  }
]
