/**
 * The port through which a customer, or the company's team for them, has a new link mailed: to the address on file and
 * nowhere else, and only so often.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"

/** Mails of a journey that were asked for, in any hour. */
export const mostAskedAnHour = 3

export class CustomerLinks extends Context.Service<
  CustomerLinks,
  {
    /**
     * Owes the customer the mail of a step; nothing once the hour's are used up or the journey has ended. `again`: its
     * wording for a step that was tried before.
     */
    readonly mailNew: (
      journeyId: string,
      step: CustomerStep,
      again: boolean
    ) => Effect.Effect<"MAILED" | "NOT_MAILED", StoreUnavailable>
  }
>()("journeys/customer/CustomerLinks") {}
