/**
 * The port to the one-time links in a customer's mail, and to those shown as a QR code (decision X5). A link is for one step of one journey.
 *
 * | its life | |
 * |---|---|
 * | begins | when its mail leaves, or its code is shown; a try to send the mail again makes another link |
 * | lasts  | `customerLimits.linkLifetime`; a code's `customerLimits.telephoneLinkLifetime` |
 * | ends   | when somebody signs in with it, or with another link of the same mail; when a later mail for the same step has a link; with its journey, or its customer's erasure |
 *
 * Looking at a link does not spend it. What the mail says and what a signed-in customer may do is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { KnownLanguages } from "./CustomerLanguage.ts"
import type { SignedIn } from "./Sessions.ts"
import type { Brand } from "../../schema/company/Brand.ts"
import type { JourneyStatus } from "../../schema/journey/statuses.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import type { ClockId, JourneyId, MailId } from "../../schema/ids.ts"

/** The mail that a link is for. Each try to send the mail has a link of its own; all are open until one of them is used. */
export interface LinkMail {
  readonly mailId: MailId
  readonly journeyId: JourneyId
  readonly step: CustomerStep
  /** The test clock by which the link's life is counted; null: the real time. */
  readonly clock: ClockId | null
  /** When the mail left, in epoch milliseconds: the link's life begins then. */
  readonly issuedAt: number
}

/** What anybody who holds a link of an ended journey may know: how it ended, and whom to ask. Nothing about the customer. */
export interface EndedJourney {
  readonly status: Exclude<JourneyStatus, "ACTIVE">
  readonly company: { readonly name: string; readonly brand: Brand }
  /** The selling company, when the caller named another company. */
  readonly sellerName: string | null
}

/** A link that no mail has: its id is its own. */
export interface TelephoneLink {
  readonly id: string
  readonly journeyId: JourneyId
  readonly step: CustomerStep
}

/** What a token leads to. UNKNOWN and ENDED must look alike to whoever holds the token. */
export type LinkState =
  | { readonly _tag: "UNKNOWN" }
  | { readonly _tag: "ENDED"; readonly journeyId: JourneyId }
  /** The journey has ended, whatever became of the link (X6). */
  | { readonly _tag: "CLOSED"; readonly journeyId: JourneyId; readonly ended: EndedJourney }
  | {
      readonly _tag: "OPEN"
      readonly journeyId: JourneyId
      readonly step: CustomerStep
      readonly company: { readonly name: string; readonly brand: Brand }
      readonly languages: KnownLanguages
    }

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** The token of this mail's link. The link of a newer mail ends the older links of its step. */
    readonly issue: (mail: LinkMail) => Effect.Effect<string, StoreUnavailable>
    /**
     * The token of a new link for a telephone, which no mail has. It ends the older links of its step as any new link does,
     * and lives as long as `customerLimits.telephoneLinkLifetime`. Null: enough links were issued lately, or the journey does
     * not ask for the step any more.
     */
    readonly issueForTelephone: (link: TelephoneLink) => Effect.Effect<string | null, StoreUnavailable>
    readonly look: (token: string) => Effect.Effect<LinkState, StoreUnavailable>
    /**
     * Spends an open link and opens a session. Of more sessions than `customerLimits.mostSessions` of the journey the oldest end; `left` is
     * the secret of a session that the browser leaves and that does not count. Null: the link is not open, or somebody else has just
     * spent it.
     */
    readonly signIn: (token: string, left: string | null) => Effect.Effect<SignedIn | null, StoreUnavailable>
  }
>()("journeys/customer/SignInLinks") {}
