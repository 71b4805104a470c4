/**
 * The texts of the demo: one line for each thing that happens, in columns that fit a terminal of 120 characters. Pure
 * functions of text.
 */
import type { JourneyData, WebhookEvent } from "journeys/webhooks"
import type { WebhookDeliveryResource } from "../../schema/webhook/WebhookDelivery.ts"
import type { JourneyResource } from "../../schema/journey/resource.ts"
import type { Shape } from "../../schema/journey/statuses.ts"

const titles: Readonly<Record<Shape, string>> = {
  FINANCE_ALREADY_SUBMITTED: "Finance by panel",
  FINANCE_SUBMIT_VIA_MIRA: "Finance by Mira",
  IDENTITY_DELIVERY: "Identity check",
  CASH_SALE: "Cash sale",
  FINANCE_SALE: "Finance sale"
}

/** The heading and the width of each column. */
const columns = [
  ["shape", 16],
  ["time", 8],
  ["#", 3],
  ["event", 27],
  ["signature", 12],
  ["journey", 9],
  ["finance", 9],
  ["identity", 9],
  ["delivery", 17]
] as const

const row = (cells: ReadonlyArray<string>): string =>
  columns
    .map(([, width], at) => (cells[at] ?? "").padEnd(width))
    .join(" ")
    .trimEnd()

export const opening = (baseUrl: string, receiverUrl: string): string =>
  `The service runs at ${baseUrl}, a company's receiver of webhooks at ${receiverUrl}\n`

/** A ping with the outcome that the settings API reports. */
export const ping = ({ attempts, status }: WebhookDeliveryResource): string => {
  const attempt = attempts.at(-1)
  const answer =
    attempt?.httpStatus == null
      ? (attempt?.error ?? "not tried")
      : `answered ${attempt.httpStatus} after ${attempt.durationMillis} ms`
  return `Ping: ${status}, ${answer}`
}

export const pingTaken = "The receiver: signature ok"

export const changedRefused = (reason: string): string =>
  `The receiver, given the same ping with one byte changed: refused, ${reason}\n`

export const started = (shape: Shape, journey: JourneyResource): string =>
  `${titles[shape].padEnd(columns[0][1])} started ${journey.id}, next action ${journey.nextAction ?? "none"}`

export const heading = `\n${row(columns.map(([name]) => name))}`

/** One event as it was delivered and verified: when it was made, its number, and the statuses that it carries. */
export const event = (shape: Shape, { createdAt, type }: WebhookEvent, data: JourneyData, sequence: string): string =>
  row([
    titles[shape],
    createdAt.slice(11, 19),
    `#${sequence}`.padStart(3),
    type,
    "signature ok",
    data.journeyStatus,
    data.financeStatus ?? "",
    data.identityStatus ?? "",
    data.deliveryStatus ?? ""
  ])

export const awaited = (shape: Shape, action: string): string => row([titles[shape], "", "", `next action ${action}`])

export const stayingAt = (baseUrl: string): string =>
  `The service runs at ${baseUrl}: open it in a browser.\n\nOne test journey of each shape waits for its customer. Its mails, with the customer's link:`

export const staysOpen = (shape: Shape, { id, nextAction }: JourneyResource, baseUrl: string): string =>
  `  ${titles[shape].padEnd(columns[0][1])} ${(nextAction ?? "none").padEnd(27)} ${baseUrl}/mailbox?journeyId=${id}`

export const stayingUntil = "\nPress Ctrl-C to end the service. Nothing of it is kept."

export const ending = (journeys: ReadonlyArray<JourneyResource>, events: number): string =>
  [
    "",
    ...journeys.map((journey) => `${journey.type.padEnd(26)} ${journey.id}  ${journey.status}`),
    `${journeys.filter((journey) => journey.status === "COMPLETED").length} of ${journeys.length} journeys COMPLETED.`,
    `${events} of ${events} events received with their signature ok, and DELIVERED in the delivery log.`
  ].join("\n")
