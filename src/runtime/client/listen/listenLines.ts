/** What `listen` prints: for a person columns of a fixed width, a line an event; for a program a JSON object a line. */
import type { Forwarded } from "./forwardEvent.ts"

const columnGap = "  "
const timeWidth = "2026-01-15T10:30:00.000Z".length
/** The longest of the types there are; a test holds on to it. A later one may be longer: then its line is. */
export const longestType = "finance_enquiry.submission_failed"
const journeyWidth = "019bc0a1-7c00-7001-8000-000000000001".length
const statusWidth = "STATUS".length
const millisWidth = "1000".length

const columns = (time: string, type: string, journey: string, status: string, millis: string): string =>
  [
    time.padEnd(timeWidth),
    type.padEnd(longestType.length),
    journey.padEnd(journeyWidth),
    status.padEnd(statusWidth),
    millis.padStart(millisWidth)
  ].join(columnGap)

const header = columns("TIME", "TYPE", "JOURNEY", "STATUS", "MS")

export interface Beginning {
  readonly baseUrl: string
  readonly forwardTo: string
  readonly secret: string
  readonly stateFile: string
  readonly from: "HERE" | "NOW" | "START"
}

const whence = {
  HERE: "It goes on where it stopped.",
  NOW: "It begins with the next event.",
  START: "It begins with the first event."
} as const

export const beginningLine = (beginning: Beginning, isJson: boolean): string => {
  const { baseUrl, forwardTo, from, secret, stateFile } = beginning
  if (isJson) return JSON.stringify({ kind: "LISTENING", ...beginning })
  return [
    `Test events of ${baseUrl} go to ${forwardTo}. ${whence[from]}`,
    `They are signed with ${secret}`,
    `Secret and place are kept in ${stateFile}. Ctrl-C stops.`,
    "",
    header
  ].join("\n")
}

export const forwardedLine = ({ at, durationMillis, event, status }: Forwarded, isJson: boolean): string => {
  const { journeyId, sequence, content } = event
  const { id, type } = content
  const time = at.toISOString()
  return isJson
    ? JSON.stringify({ kind: "FORWARDED", at: time, id, type, journeyId, sequence, status, durationMillis })
    : columns(time, type, journeyId ?? "-", String(status), String(durationMillis))
}

/** A line that is not about an event that was forwarded. */
export const messageLine = (message: string, isJson: boolean): string =>
  isJson ? JSON.stringify({ message }) : `journeys: ${message}`
