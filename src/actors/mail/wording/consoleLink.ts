/**
 * The button of a mail to the team, and the page of the console that it opens. An address names things by their ids and
 * modes, and never holds personal data. What the pages show, and who may see them, is the console's to say.
 */
import type { JourneyId } from "../../../schema/ids.ts"
import type { Mode } from "../../../schema/Mode.ts"
import type { EmailButton } from "./Email.ts"

/** The path of a page. */
export type ConsolePlace = `/console/${string}`

export const consolePages = {
  audit: "/console/audit",
  company: "/console/company",
  handover: (id: JourneyId): ConsolePlace => `/console/handovers/${id}`,
  journey: (id: JourneyId): ConsolePlace => `/console/journeys/${id}`,
  /** Without a review: the queue. */
  review: (id: string | null): ConsolePlace => (id === null ? "/console/reviews" : `/console/reviews/${id}`),
  webhooks: (mode: Mode): ConsolePlace => (mode === "LIVE" ? "/console/webhooks/live" : "/console/webhooks/test")
} as const

export const consoleButton = (baseUrl: string, words: string, place: ConsolePlace): EmailButton => ({
  button: words,
  instead: "If the button does not work, open this address and sign in:",
  url: `${baseUrl}${place}`
})
