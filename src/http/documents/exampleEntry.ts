/** The examples of a line of a timeline for the documents: as the export of a customer's data has it, and as the team reads it. */
import { exampleId } from "../../schema/exampleId.ts"
import type { TimelineEntry, TimelineEntryResource } from "../../schema/review/timeline.ts"

const at = "2026-01-15T10:31:07.218Z"
const later = "2026-01-15T10:31:09.044Z"

export const exportedEntry: TimelineEntry = {
  version: 2,
  at,
  sender: "identity",
  message: "IdentityUnderReview",
  details: { check: 1 },
  reasons: ["FACES_UNCLEAR"],
  note: null,
  statuses: { journeyStatus: "ACTIVE", financeStatus: null, identityStatus: "UNDER_REVIEW", deliveryStatus: null },
  events: [
    {
      id: exampleId("event", 4),
      type: "identity.under_review",
      sequence: 3,
      createdAt: at,
      delivery: {
        status: "DELIVERED",
        attempts: 1,
        nextAttemptAt: null,
        deliveredAt: later,
        latestAttempts: [
          {
            number: 1,
            at: later,
            trigger: "SCHEDULE",
            httpStatus: 200,
            error: null,
            durationMillis: Date.parse(later) - Date.parse(at)
          }
        ]
      }
    }
  ],
  mails: [
    {
      id: exampleId("mail", 2),
      kind: "REVIEW_NEEDED",
      state: "SENT",
      tries: 1,
      createdAt: at,
      nextTryAt: null,
      sentAt: later
    }
  ],
  work: null,
  vehicle: null
}

export const exampleEntry: TimelineEntryResource = { ...exportedEntry, senderName: exportedEntry.sender }
