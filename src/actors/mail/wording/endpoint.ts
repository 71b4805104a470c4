/**
 * The words of mail to a company's owners about a webhook endpoint: what happened, since when, and what to do, with a
 * button to the endpoint's page of the console. When such a mail is owed is the endpoint's decision.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { consoleButton, consolePages } from "./consoleLink.ts"
import type { EndpointFailing, EndpointMail, EndpointOff } from "../../../schema/mail/mailKinds.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { longestRetried } from "../../webhook/rules/backoff.ts"
import { counted, testMark, type Email } from "./Email.ts"
import { unlinked } from "./unlinked.ts"
import { mailedMoment } from "../../../schema/teamTime.ts"

interface Recipient {
  readonly name: string
}

/** `baseUrl`: null leaves out the button and the link to the documentation. */
export const endpointEmail = (mail: EndpointMail, company: Recipient, baseUrl: string | null): Email => {
  const { paragraphs, subject } = worded(mail, unlinked(company.name))
  if (baseUrl === null) return { subject, paragraphs }
  const button = consoleButton(baseUrl, "Open the endpoint", consolePages.webhooks(mail.facts.mode))
  return { subject, paragraphs: [...paragraphs, button, { words: "Documentation:", url: `${baseUrl}/docs` }] }
}

const worded = (mail: EndpointMail, name: string): Email => {
  switch (mail.kind) {
    case "ENDPOINT_FAILING":
      return failing(mail.facts, name)
    case "ENDPOINT_OFF":
      return turnedOff(mail.facts, name)
  }
}

const failing = (facts: EndpointFailing, name: string): Email => {
  const lasting = counted(facts.hours, "hour")
  return {
    subject: `${mark(facts)}Webhooks of ${name} have been failing for ${lasting}`,
    paragraphs: [
      `For ${lasting}, since ${mailedMoment(millisOf(facts.failingSince))}, no event has reached ${endpointOf(facts, name)}.`,
      `No event is lost: each one is tried again by itself. When the endpoint answers with a 2xx status within ${Duration.toSeconds(webhookLimits.exchangeTimeout)} seconds, everything goes on as before and there is nothing else to do.`,
      "What it answered to each attempt is in the delivery log on the endpoint's page of the console.",
      `If nothing has reached it by ${mailedMoment(millisOf(facts.failingSince) + Duration.toMillis(webhookLimits.turnedOffAfter))}, the endpoint will be turned off.`
    ]
  }
}

const turnedOff = (facts: EndpointOff, name: string): Email => {
  const days = Math.floor(Duration.toDays(webhookLimits.turnedOffAfter))
  const waiting = facts.parked === undefined ? "" : ` ${counted(facts.parked, "delivery", "deliveries")} had to stop.`
  return {
    subject: `${mark(facts)}Webhooks of ${name} have been turned off`,
    paragraphs: [
      `Nothing has reached ${endpointOf(facts, name)} since ${mailedMoment(millisOf(facts.failingSince))}. After ${counted(days, "day")} without any success the endpoint was turned off, at ${mailedMoment(millisOf(facts.offSince))}.${waiting}`,
      "Journeys go on and their events are recorded, but none is sent any more.",
      "To turn it on again: repair what receives the events, then save the endpoint's URL again on its page of the console. With the same URL its signing secret stays the same.",
      // A missed event may be older than the first failure, because it was being retried already. Events that arrived are not sent again.
      `To get what was missed: resend it on the same page, from ${mailedMoment(millisOf(facts.failingSince) - longestRetried)} on. Events can be resent for ${webhookLimits.resendableDays} days.`
    ]
  }
}

/** The sandbox can be told from live at first sight (decision S8). */
const mark = ({ mode }: EndpointFailing | EndpointOff): string => (mode === "TEST" ? testMark : "")

const endpointOf = ({ mode, url }: EndpointFailing | EndpointOff, name: string): string =>
  `the ${mode.toLowerCase()} webhook endpoint of ${name} at ${url}`
