/**
 * The journey as a whole: how it starts and how it ends. The handover, where one exists, ends first (H7). Whatever work
 * still waits to be done ends with the journey, except its mails and the deletion that a customer has asked for (D7).
 */
import { isNewCustomer, isReturningCustomer } from "../state/ending.ts"
import type { JourneyRow } from "./row.ts"

export const journeyRows: ReadonlyArray<JourneyRow> = [
  {
    region: "journey",
    from: ["NONE"],
    on: ["Start"],
    when: [isNewCustomer],
    to: "ACTIVE",
    events: ["journey.created"],
    mails: ["WELCOME"],
    after: ["begin"]
  },
  {
    region: "journey",
    from: ["NONE"],
    on: ["Start"],
    when: [isReturningCustomer],
    to: "ACTIVE",
    events: ["journey.created"],
    after: ["begin"]
  },
  {
    region: "journey",
    from: ["ACTIVE"],
    on: ["complete journey"],
    to: "COMPLETED",
    events: ["journey.completed"],
    mails: ["HANDOVER_COMPLETE"]
  },
  {
    region: "journey",
    from: ["ACTIVE"],
    on: ["Cancel", "TeamCancelsHandover", "cancel journey"],
    before: ["cancel handover"],
    to: "CANCELLED",
    events: ["journey.cancelled"]
  },
  {
    region: "journey",
    from: ["ACTIVE"],
    on: ["CustomerWindowPassed", "SafetyCapPassed"],
    before: ["expire handover"],
    to: "EXPIRED",
    events: ["journey.expired"]
  },
  {
    region: "journey",
    from: ["ACTIVE"],
    on: ["ConsentWithdrawn"],
    // Withdrawn again, the deletion begins anew.
    effectsOver: ["DELETE_BIOMETRICS"],
    effects: ["DELETE_BIOMETRICS"],
    after: ["identity to the team", "video to the team"]
  }
]
