/**
 * The port to the one-time links in a customer's mail (decision X5): 72 hours, one sign-in, for one step of one journey.
 * Looking at a link never spends it; signing in does. What a mail says around its link, and what a signed-in customer
 * may do, is decided elsewhere.
 */
import { Context, Duration, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { SignedIn } from "./Sessions.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"

/** Decision X5: a car buyer reads mail at weekends. */
export const linkLifetime = Duration.hours(72)

/** The mail a link is for. A mail that is sent again has the same link. */
export interface LinkMail {
  readonly mailId: string
  readonly journeyId: string
  readonly step: CustomerStep
}

/** What a token leads to. UNKNOWN and ENDED must look alike to whoever holds it. */
export type LinkState =
  | { readonly _tag: "UNKNOWN" }
  | { readonly _tag: "ENDED"; readonly journeyId: string }
  /** The journey has ended, whatever the link was (X6). */
  | { readonly _tag: "CLOSED" }
  | { readonly _tag: "OPEN"; readonly journeyId: string; readonly step: CustomerStep; readonly companyName: string }

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** The token of this mail's link. A link of a newer mail voids the older ones of its step. */
    readonly issue: (mail: LinkMail) => Effect.Effect<string, StoreUnavailable>
    readonly look: (token: string) => Effect.Effect<LinkState, StoreUnavailable>
    /** Spends an open link and opens a session; null when it is not open, or someone was faster. */
    readonly signIn: (token: string) => Effect.Effect<SignedIn | null, StoreUnavailable>
  }
>()("journeys/customer/SignInLinks") {}
