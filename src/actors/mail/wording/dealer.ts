/**
 * The words of the mail to the team of a dealer whom a broker has named for a handover: whose it is, what to do, and a button to the
 * handover's page of the console. The mail names the handover by its journey's id and holds nothing about the customer.
 */
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { isHomeDelivery } from "../../journey/rules/state/handover.ts"
import { consoleButton, consolePages } from "./consoleLink.ts"
import type { Email } from "./Email.ts"
import { unlinked } from "./unlinked.ts"

/** `companyName`: of the broker. `baseUrl`: null leaves out the button. */
export interface DealerContext {
  readonly journey: Journey
  readonly companyName: string
  readonly baseUrl: string | null
}

export const dealerEmail = ({ baseUrl, companyName, journey }: DealerContext): Email => {
  const broker = unlinked(companyName)
  const where = isHomeDelivery(journey) ? "at the customer's home" : "in your store"
  return {
    subject: `A handover for ${broker}`,
    paragraphs: [
      `${broker} has named your company as the dealer who hands a vehicle over, ${where}: handover ${journey.id}.`,
      "The console shows whom to hand which vehicle to, and how far the handover is. The customer records a short video with the vehicle in their app; you need to do nothing in the console.",
      ...(baseUrl === null ? [] : [consoleButton(baseUrl, "Open the handover", consolePages.handover(journey.id))])
    ]
  }
}
