/**
 * What a journey waits for, and which calls it would take now, as people and programs read it. Forms only: what is awaited
 * and what is allowed is decided by the journey's rules.
 */
import { Schema } from "effect"
import { errorCodes } from "../problems.ts"
import { NextAction } from "./steps.ts"

/** Like `nextAction`, with two more for what the service does itself. */
export const AwaitedThing = Schema.Literals([
  ...NextAction.literals,
  "IDENTITY_CHECK_BEING_STARTED",
  "VIDEO_BEING_CHECKED"
])
export type AwaitedThing = typeof AwaitedThing.Type

/** CALLER: whoever started the journey. PANEL and IDENTITY_PROVIDER: the company's outside providers. */
export const AwaitedFrom = Schema.Literals(["CALLER", "PANEL", "IDENTITY_PROVIDER", "CUSTOMER", "TEAM", "SERVICE"])
export type AwaitedFrom = typeof AwaitedFrom.Type

/** The operations that change a journey: by an API key, or by the company's team. */
export const callsOfKeys = ["cancelJourney", "sendFinanceDecision", "replaceCustomerFace", "simulateEvent"] as const

/** A call of the team that has no body: a button of the console and a command of the command line, made from these words. */
interface TeamButton {
  /** The last part of the operation's path, the name of the command, and of the console's form. */
  readonly as: string
  readonly label: string
  /** What the console says when it is done. */
  readonly done: string
  /** The help of the command. */
  readonly help: string
}

export const teamButtons = {
  resendCheck: {
    as: "resend-check",
    label: "Resend the identity check",
    done: "The identity check was resent.",
    help: "Resend an identity check that could not be started"
  },
  resendLink: {
    as: "resend-link",
    label: "Mail a new link",
    done: "A new link was mailed to the customer.",
    help: "Mail the customer a new link, to the address on file"
  }
} as const satisfies Readonly<Record<string, TeamButton>>

export type ButtonCall = keyof typeof teamButtons

// Object.keys loses the key type; the names are exactly these keys.
export const buttonCalls = Object.keys(teamButtons) as ReadonlyArray<ButtonCall>

export const callsOfTeam = [
  ...buttonCalls,
  "cancelCompanyJourney",
  "cancelHandover",
  "forceOutcome",
  "decideReview"
] as const

export const JourneyCall = Schema.Literals([...callsOfKeys, ...callsOfTeam])
export type JourneyCall = typeof JourneyCall.Type

/** The work that waits to be done for a journey; mails are in the timeline. */
export const PendingWorkKind = Schema.Literals([
  "CREATE_HANDOVER",
  "SUBMIT_APPLICATION",
  "START_IDENTITY_CHECK",
  "CHECK_VIDEO",
  "DELETE_BIOMETRICS"
])
export type PendingWorkKind = typeof PendingWorkKind.Type

const moment = Schema.NullOr(Schema.String)

const WaitingOn = Schema.Struct({
  on: AwaitedThing.annotate({ description: "As `nextAction` names it; a journey may wait for several things" }),
  who: AwaitedFrom.annotate({ description: "Who must do it" }),
  since: moment.annotate({ description: "Null where the service has not written it down" }),
  expectedBy: moment.annotate({
    description:
      "When the service goes on by itself: the sandbox's next step, or the next attempt. Null: somebody else must act"
  }),
  expiresAt: Schema.String.annotate({ description: "When the journey expires if nothing is done" })
}).annotate({ identifier: "WaitingOn" })

const Choices = Schema.NullOr(Schema.Struct({ member: Schema.String, values: Schema.Array(Schema.String) })).annotate({
  description: "The values of the body's member that this line is about; null when it is about every body"
})

const by = Schema.Literals(["API_KEY", "TEAM"]).annotate({
  description: "API_KEY: a key of the journey's mode. TEAM: the company's people"
})

const allowedCall = { method: Schema.String, path: Schema.String, choices: Choices }
const refusedCall = {
  code: Schema.Literals(errorCodes).annotate({ description: "What the call would be refused with" }),
  choices: Choices
}

const AllowedCall = Schema.Struct({ operation: JourneyCall, by, ...allowedCall }).annotate({
  identifier: "AllowedCall"
})

const RefusedCall = Schema.Struct({ operation: JourneyCall, by, ...refusedCall }).annotate({
  identifier: "RefusedCall"
})

const BodyOfCall = Schema.Struct({
  contentType: Schema.String,
  schema: Schema.String.annotate({ description: "Where the body is described: a document, and the place in it" })
}).annotate({ identifier: "BodyOfCall" })

const CallOfKey = Schema.Literals(callsOfKeys)
export type CallOfKey = typeof CallOfKey.Type

const PendingWork = Schema.Struct({
  kind: PendingWorkKind,
  attempts: Schema.Int.annotate({ description: "How often it was begun" }),
  dueAt: moment.annotate({
    description: "When the next attempt begins, or when the present one must be over; null: at once"
  })
}).annotate({ identifier: "PendingWork" })

export const UndeliveredMailState = Schema.Literals(["BOUNCED", "COMPLAINED_OF", "GIVEN_UP", "TRIED_AGAIN"])
export type UndeliveredMailState = typeof UndeliveredMailState.Type

const UndeliveredMail = Schema.Struct({
  mail: Schema.String.annotate({ description: "Its kind, as the timeline names it" }),
  state: UndeliveredMailState.annotate({
    description:
      "BOUNCED: it was sent and came back. COMPLAINED_OF: it was sent, and reported as spam. GIVEN_UP: no mail server took it. TRIED_AGAIN: it was not taken yet, and the service goes on trying"
  }),
  at: Schema.String.annotate({ description: "When it was sent, given up, or owed" })
}).annotate({ identifier: "UndeliveredMail" })

export const JourneyActions = Schema.Struct({
  waitingOn: Schema.Array(WaitingOn),
  undeliveredMail: Schema.NullOr(UndeliveredMail).annotate({
    description:
      "The customer's newest mail, where it did not arrive or was reported as spam: the customer may not know that they are awaited. Null also for a test journey, whose mail goes to the administrator, and once the journey has ended"
  }),
  allowed: Schema.Array(AllowedCall),
  notAllowed: Schema.Array(RefusedCall),
  work: Schema.Array(PendingWork).annotate({ description: "What the service still has to do for the journey" })
}).annotate({ identifier: "JourneyActions" })
export type JourneyActions = typeof JourneyActions.Type

/** What a caller is told: what the own key may do, and what it would hear. */
export const CallerActions = Schema.Struct({
  waitingOn: Schema.Array(WaitingOn).annotate({ description: "Empty when the journey has ended" }),
  allowed: Schema.Array(
    Schema.Struct({ operation: CallOfKey, ...allowedCall, body: BodyOfCall }).annotate({
      identifier: "AllowedCallOfKey"
    })
  ),
  notAllowed: Schema.Array(
    Schema.Struct({ operation: CallOfKey, ...refusedCall }).annotate({ identifier: "RefusedCallOfKey" })
  )
}).annotate({ identifier: "CallerActions" })
export type CallerActions = typeof CallerActions.Type
