/**
 * The port through which a customer, or the company's team for the customer, has a new link mailed. The mail goes to the
 * address on file and nowhere else, and only so often (`customerLimits`).
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import type { JourneyId } from "../../schema/ids.ts"

export class CustomerLinks extends Context.Service<
  CustomerLinks,
  {
    /**
     * Mails the customer the link of a step. NOT_MAILED: the journey has ended, or enough links were mailed lately. `again`
     * chooses the wording for a step that the customer has tried before.
     */
    readonly mailNew: (
      journeyId: JourneyId,
      step: CustomerStep,
      again: boolean
    ) => Effect.Effect<"MAILED" | "NOT_MAILED", StoreUnavailable>
  }
>()("journeys/customer/CustomerLinks") {}
