/**
 * What an endpoint's actor can learn, what it can ask the database and the sender, and what else it can do. This is the
 * whole vocabulary of `decideEndpoint.ts`; the actor translates it into effects.
 */
import type { EndedAttempt, WebhookAttemptOutcome } from "./attemptOutcome.ts"
import type { DuePlace, DueWebhookDelivery } from "./DueWebhookDelivery.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { HealthChange } from "./healthChanges.ts"
import type { SigningKeys } from "./signature.ts"
import type { EventId } from "../../../schema/ids.ts"

/** The endpoint as it was read, with its secrets opened. */
export interface EndpointSettings {
  readonly endpoint: Endpoint
  readonly keys: SigningKeys
}

/** The number under which someone waits for an answer of the actor. */
export type Ticket = number

/** What a question asks for the endpoint's settings as well. `Unread`: the question did not include them. */
export type ReadSettings = EndpointSettings | null | "Unread"

/** A resend can go on at once, goes on when some of it has been sent, or there is none. */
export type ResendProgress = "MoreNow" | "Later" | "None"

/** One thing that the actor asks for and waits for. It learns nothing else before the answer or the failure. */
export type EndpointQuestion =
  /** The endpoint as it is now; null when there is none any more. */
  | { readonly _tag: "ReadSettings" }
  /** What is due from `after` on, at most `limit` deliveries; before that a resend goes on if there is one. */
  | {
      readonly _tag: "ReadDue"
      readonly after: DuePlace | null
      readonly limit: number
      readonly withResend: boolean
      readonly withSettings: boolean
    }
  /** One delivery, due or not. */
  | { readonly _tag: "ReadTest"; readonly eventId: EventId; readonly withSettings: boolean }
  /** Parks some of what is pending at an endpoint that is off. */
  | { readonly _tag: "Park" }
  | { readonly _tag: "WriteHealth"; readonly change: HealthChange }
  /** Opens connections to this URL and closes those to the URL before. */
  | { readonly _tag: "OpenChannel"; readonly url: string }

/** Answers to questions. The actor decides at once what comes next. */
export type EndpointAnswer =
  | { readonly _tag: "SettingsRead"; readonly settings: EndpointSettings | null }
  | {
      readonly _tag: "DueRead"
      readonly due: ReadonlyArray<DueWebhookDelivery>
      readonly limit: number
      /** When the deliveries were asked for. */
      readonly readAt: number
      readonly resend: ResendProgress
      readonly settings: ReadSettings
    }
  | {
      readonly _tag: "TestRead"
      readonly eventId: EventId
      readonly delivery: DueWebhookDelivery | null
      readonly settings: ReadSettings
    }
  | { readonly _tag: "Parked"; readonly isMore: boolean }
  | { readonly _tag: "HealthWritten" }
  | { readonly _tag: "ChannelOpened"; readonly url: string }
  | { readonly _tag: "QuestionFailed"; readonly question: EndpointQuestion; readonly cause: unknown }

/** News that arrive in the actor's mailbox at any time. The actor notes them and decides at `Proceed` what follows. */
export type EndpointNews =
  /** Something may be due. `resend`: a resend may go on. */
  | { readonly _tag: "Woken"; readonly resend: boolean }
  /** The settings in the table are others than those that were read. */
  | { readonly _tag: "SettingsChanged"; readonly ticket: Ticket }
  /** The owner wants this delivery attempted now: a ping or a sample. */
  | { readonly _tag: "TestWanted"; readonly eventId: EventId; readonly ticket: Ticket }
  | ({ readonly _tag: "AttemptEnded" } & EndedAttempt)
  | { readonly _tag: "AttemptsRecorded"; readonly eventIds: ReadonlyArray<EventId> }
  | { readonly _tag: "Stopping" }

/** `Proceed`: all news that had arrived are noted. */
export type EndpointMessage = EndpointNews | EndpointAnswer | { readonly _tag: "Proceed" }

/** What the actor does without waiting. */
export type EndpointAction =
  /** Sends a delivery now, to the open channel. */
  | {
      readonly _tag: "Send"
      readonly delivery: DueWebhookDelivery
      readonly settings: EndpointSettings
      readonly at: number
    }
  /** Records an attempt that has ended, until it is recorded. */
  | { readonly _tag: "Record"; readonly outcome: WebhookAttemptOutcome; readonly attempt: EndedAttempt }
  /** Answers whoever waits under this ticket. */
  | { readonly _tag: "Answer"; readonly ticket: Ticket; readonly isDone: boolean }
  /** Says to the operators that the endpoint was turned off. */
  | { readonly _tag: "ReportTurnedOff" }
  /** Says to the operators, once until it is over, that a question failed and the endpoint's work waits. */
  | { readonly _tag: "ReportBlocked"; readonly cause: unknown }
