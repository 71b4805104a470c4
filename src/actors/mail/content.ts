/**
 * Mail to a company's administrator in words: what happened, since when, and what to do. Pure; every mail has a plain
 * and an HTML part that say the same. No picture, no tracking, and a link only with its URL visible (decision M6).
 */
import { Duration } from "effect"
import type { CompanyMail, EndpointFailing, EndpointOff } from "../../schema/mail.ts"
import { millisOf } from "../../schema/start/dates.ts"
import { timestamp } from "../company/resources.ts"
import { retryDelays } from "../webhook/backoff.ts"
import { turnedOffAfter } from "../webhook/health.ts"
import { resendableDays } from "../../schema/deliveryLog.ts"

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Letter {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
}

interface Recipient {
  readonly id: string
  readonly name: string
}

/** `baseUrl`: null leaves the link out. */
export const mailContent = (mail: CompanyMail, company: Recipient, baseUrl: string | null): MailContent => {
  const { paragraphs, subject } = letterOf(mail, { ...company, name: oneLine(company.name) })
  const docs = baseUrl === null ? null : `${baseUrl}/docs`
  return {
    subject: oneLine(subject),
    text: [...paragraphs, ...(docs === null ? [] : [`${documentation} ${docs}`])].join("\n\n").concat("\n"),
    html: page([
      ...paragraphs.map(escaped),
      ...(docs === null ? [] : [`${documentation} <a href="${escaped(docs)}">${escaped(docs)}</a>`])
    ])
  }
}

const documentation = "Documentation:"

const letterOf = (mail: CompanyMail, company: Recipient): Letter => {
  switch (mail.kind) {
    case "ENDPOINT_FAILING":
      return failing(mail.facts, company)
    case "ENDPOINT_OFF":
      return turnedOff(mail.facts, company)
  }
}

const failing = (facts: EndpointFailing, { name }: Recipient): Letter => {
  const lasting = counted(facts.hours, "hour")
  return {
    subject: `${mark(facts)}Webhooks of ${name} have been failing for ${lasting}`,
    paragraphs: [
      `For ${lasting}, since ${moment(millisOf(facts.failingSince))}, no event has reached ${endpointOf(facts, name)}.`,
      "No event is lost: each one is tried again by itself. When the endpoint answers with a 2xx status within 10 seconds, everything goes on as before and there is nothing else to do.",
      "What it answered to each attempt is in the delivery log.",
      `If nothing has reached it by ${moment(millisOf(facts.failingSince) + turnedOffAfter)}, the endpoint will be turned off.`
    ]
  }
}

const turnedOff = (facts: EndpointOff, { id, name }: Recipient): Letter => {
  const settings = `/settings/v1/companies/${id}/webhook-endpoints/${facts.mode.toLowerCase()}`
  const days = Math.floor(Duration.toDays(Duration.millis(turnedOffAfter)))
  const waiting = facts.parked === undefined ? "" : ` ${counted(facts.parked, "delivery", "deliveries")} had to stop.`
  return {
    subject: `${mark(facts)}Webhooks of ${name} have been turned off`,
    paragraphs: [
      `Nothing has reached ${endpointOf(facts, name)} since ${moment(millisOf(facts.failingSince))}. After ${counted(days, "day")} without any success the endpoint was turned off, at ${moment(millisOf(facts.offSince))}.${waiting}`,
      "Journeys go on and their events are recorded, but none is sent any more.",
      `To turn it on again: repair what receives the events, then save the endpoint's URL again (PUT ${settings}). With the same URL its signing secret stays the same.`,
      `To get what was missed: resend it from the delivery log (POST ${settings}/resend with {"since": "${timestamp(millisOf(facts.failingSince) - longestRetried)}"}). Events can be resent for ${resendableDays} days.`
    ]
  }
}

/** What is missed may be older than the first failure: it was being retried already. What arrived is not sent again. */
const longestRetried = retryDelays.reduce((sum, delay) => sum + delay, 0)

/** Told from live at first sight (decision S8). */
const mark = ({ mode }: EndpointFailing | EndpointOff): string => (mode === "TEST" ? "[TEST] " : "")

const endpointOf = ({ mode, url }: EndpointFailing | EndpointOff, name: string): string =>
  `the ${mode.toLowerCase()} webhook endpoint of ${name} at ${url}`

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** To the minute; nobody needs more in a letter. */
const moment = (millis: number): string => `${timestamp(millis).slice(0, 16).replace("T", " ")} UTC`

/** Whatever would begin a new line, or a new header, is a space. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "")

const page = (paragraphs: ReadonlyArray<string>): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>',
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    "</body></html>\n"
  ].join("\n")
