/**
 * The port to the one-time links in a customer's mail (decision X5). A link is for one step of one journey, lives as long as
 * `customerLimits.linkLifetime`, and signs the customer in once. Looking at a link does not spend it. What the mail says and
 * what a signed-in customer may do is decided elsewhere.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { SignedIn } from "./Sessions.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"

/** The mail that a link is for. A mail that is sent again has the same link. */
export interface LinkMail {
  readonly mailId: string
  readonly journeyId: string
  readonly step: CustomerStep
}

/** What a token leads to. UNKNOWN and ENDED must look alike to whoever holds the token. */
export type LinkState =
  | { readonly _tag: "UNKNOWN" }
  | { readonly _tag: "ENDED"; readonly journeyId: string }
  /** The journey has ended, whatever became of the link (X6). */
  | { readonly _tag: "CLOSED" }
  | { readonly _tag: "OPEN"; readonly journeyId: string; readonly step: CustomerStep; readonly companyName: string }

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** The token of this mail's link. The link of a newer mail ends the older links of its step. */
    readonly issue: (mail: LinkMail) => Effect.Effect<string, StoreUnavailable>
    readonly look: (token: string) => Effect.Effect<LinkState, StoreUnavailable>
    /** Spends an open link and opens a session. Null: the link is not open, or somebody else has just spent it. */
    readonly signIn: (token: string) => Effect.Effect<SignedIn | null, StoreUnavailable>
  }
>()("journeys/customer/SignInLinks") {}
