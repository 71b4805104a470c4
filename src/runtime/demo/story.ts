/** The demo's words: what happens, a line each, in columns. Pure text. */
import type { JourneyResource } from "../../schema/journeyResource.ts"
import type { Shape } from "../../schema/statuses.ts"

const titles: Readonly<Record<Shape, string>> = {
  FINANCE_ALREADY_SUBMITTED: "Finance, own panel",
  FINANCE_SUBMIT_VIA_MIRA: "Finance, submitted",
  IDENTITY_DELIVERY: "Identity, delivery",
  CASH_SALE: "Cash sale",
  FINANCE_SALE: "Finance sale"
}

const titleWidth = 20
const typeWidth = 30

export const opening = (baseUrl: string): string =>
  `The service runs at ${baseUrl}.\nOne test journey of each of the five shapes; each line is an event as it was recorded.\n`

export const started = (shape: Shape, journey: JourneyResource): string =>
  `${titles[shape].padEnd(titleWidth)} started   ${journey.id}  waits for ${journey.nextAction ?? "nothing"}`

interface EventBody {
  readonly createdAt: string
  readonly type: string
  readonly data: Readonly<Record<string, string | null>>
}

/** One event: when, which journey, its number and type, and the statuses it carries. */
export const event = (shape: Shape, sequence: number, body: string): string => {
  const { createdAt, data, type } = JSON.parse(body) as EventBody
  const statuses = [
    ["journey", data["journeyStatus"]],
    ["finance", data["financeStatus"]],
    ["identity", data["identityStatus"]],
    ["delivery", data["deliveryStatus"]]
  ].flatMap(([name, status]) => (status == null ? [] : [`${name} ${status}`]))
  return [
    titles[shape].padEnd(titleWidth),
    createdAt.slice(11, 23),
    `#${sequence}`.padStart(3),
    type.padEnd(typeWidth),
    statuses.join(", ")
  ].join(" ")
}

export const waiting = (shape: Shape, nextAction: string): string =>
  `${titles[shape].padEnd(titleWidth)} waits for ${nextAction}`

export const ending = (journeys: ReadonlyArray<JourneyResource>): string =>
  [
    "",
    ...journeys.map((journey) => `${journey.type.padEnd(26)} ${journey.id}  ${journey.status}`),
    `${journeys.filter((journey) => journey.status === "COMPLETED").length} of ${journeys.length} journeys COMPLETED.`
  ].join("\n")
