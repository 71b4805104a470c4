/**
 * The finance region of FINANCE_IDENTITY_DELIVERY journeys. A REFERRED application stays pending (F1). With
 * SUBMIT_VIA_MIRA, SUBMITTED means first "is being submitted", and "accepted" once the panel has taken the application.
 */
import { isAccepted, isAwaitingAcceptance } from "../state/finance.ts"
import type { FinanceRow } from "./row.ts"

const pending = ["SUBMITTED", "REFERRED"] as const

export const financeRows: ReadonlyArray<FinanceRow> = [
  {
    region: "finance",
    from: ["NONE"],
    on: ["begin FINANCE_ALREADY_SUBMITTED"],
    to: "SUBMITTED",
    events: ["finance_enquiry.submitted"],
    // Nobody is asked to verify for an application that the lender has declined (F2): the journey has ended then.
    after: ["known decision", "ask for identity"]
  },
  {
    region: "finance",
    from: ["NONE"],
    on: ["begin FINANCE_SUBMIT_VIA_MIRA"],
    to: "SUBMITTED",
    events: ["finance_enquiry.submitted"],
    effects: ["SUBMIT_APPLICATION"]
  },
  {
    region: "finance",
    from: ["SUBMITTED"],
    on: ["PanelAccepted"],
    when: [isAwaitingAcceptance],
    to: "SUBMITTED",
    effectsOver: ["SUBMIT_APPLICATION"],
    after: ["ask for identity"]
  },
  {
    region: "finance",
    from: pending,
    on: ["FinanceDecision APPROVED", "PanelDecision APPROVED", "known decision APPROVED"],
    when: [isAccepted],
    to: "APPROVED",
    events: ["finance_enquiry.approved"],
    mails: ["FINANCE_APPROVED"],
    after: ["gate opened"]
  },
  {
    region: "finance",
    from: pending,
    on: ["FinanceDecision REFERRED", "PanelDecision REFERRED", "known decision REFERRED"],
    when: [isAccepted],
    to: "REFERRED",
    events: ["finance_enquiry.referred"],
    mails: ["FINANCE_UPDATED"]
  },
  // A decision of the panel that comes before its acceptance counts as accepted first (F4).
  {
    region: "finance",
    from: ["SUBMITTED"],
    on: ["PanelDecision APPROVED"],
    when: [isAwaitingAcceptance],
    before: ["ask for identity"],
    to: "APPROVED",
    events: ["finance_enquiry.approved"],
    mails: ["FINANCE_APPROVED"],
    effectsOver: ["SUBMIT_APPLICATION"],
    after: ["gate opened"]
  },
  {
    region: "finance",
    from: ["SUBMITTED"],
    on: ["PanelDecision REFERRED"],
    when: [isAwaitingAcceptance],
    before: ["ask for identity"],
    to: "REFERRED",
    events: ["finance_enquiry.referred"],
    mails: ["FINANCE_UPDATED"],
    effectsOver: ["SUBMIT_APPLICATION"]
  },
  {
    region: "finance",
    from: pending,
    on: ["FinanceDecision DECLINED", "PanelDecision DECLINED", "known decision DECLINED"],
    to: "DECLINED",
    events: ["finance_enquiry.declined"],
    mails: ["FINANCE_UPDATED"],
    after: ["cancel journey"]
  },
  // Only before the panel has accepted (F3).
  {
    region: "finance",
    from: ["SUBMITTED"],
    on: ["PanelFailed"],
    when: [isAwaitingAcceptance],
    to: "SUBMISSION_FAILED",
    events: ["finance_enquiry.submission_failed"],
    mails: ["SUBMISSION_FAILED"],
    after: ["cancel journey"]
  }
]
