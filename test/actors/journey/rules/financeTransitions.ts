/** The finance region's part of `transitionTable.ts`. Not a test itself. */
import type { JourneyMessageTag } from "../../../../src/schema/journey/messages.ts"
import { asks, row, type Among, type Row } from "./transitionRow.ts"

const impossible = { possible: false }

const caller: Among = { shape: ["FINANCE_ALREADY_SUBMITTED"], finance: ["SUBMITTED, accepted", "REFERRED"] }
const panel: Among = { shape: ["FINANCE_SUBMIT_VIA_MIRA"], finance: ["SUBMITTED, accepted", "REFERRED"] }
const unaccepted: Among = { shape: ["FINANCE_SUBMIT_VIA_MIRA"], finance: ["SUBMITTED"] }

const decisions = (who: string, _tag: JourneyMessageTag, from: Among): ReadonlyArray<Row> => [
  row(
    `${who} approves`,
    { _tag, decision: "APPROVED" },
    from,
    { finance: "APPROVED" },
    ["finance_enquiry.approved"],
    ["FINANCE_APPROVED"]
  ),
  row(
    `${who} refers`,
    { _tag, decision: "REFERRED" },
    from,
    { finance: "REFERRED" },
    ["finance_enquiry.referred"],
    ["FINANCE_UPDATED"]
  ),
  row(
    `${who} declines`,
    { _tag, decision: "DECLINED" },
    from,
    { finance: "DECLINED", journey: "CANCELLED", isPageAwaited: false },
    ["finance_enquiry.declined", "journey.cancelled"],
    ["FINANCE_UPDATED"]
  )
]

export const financeRows: ReadonlyArray<Row> = [
  ...decisions("the caller", "FinanceDecision", caller),
  ...decisions("the panel", "PanelDecision", panel),
  ...asks(({ check, events, from, identity, mails, name }) =>
    row(
      `the panel accepts ${name}`,
      { _tag: "PanelAccepted", check },
      { ...unaccepted, ...from },
      { finance: "SUBMITTED, accepted", ...identity },
      events,
      mails
    )
  ),
  row(
    "the panel accepts and the check cannot be started",
    { _tag: "PanelAccepted", check: impossible },
    unaccepted,
    { finance: "SUBMITTED, accepted", identity: "UNAVAILABLE" },
    ["identity.unavailable"],
    ["CHECK_UNAVAILABLE"]
  ),
  ...asks(({ check, events, from, identity, mails, name }) =>
    row(
      `the panel approves before it accepted ${name}`,
      { _tag: "PanelDecision", decision: "APPROVED", check },
      { ...unaccepted, ...from },
      { finance: "APPROVED", ...identity },
      [...events, "finance_enquiry.approved"],
      [...mails, "FINANCE_APPROVED"]
    )
  ),
  row(
    "the panel approves before it accepted and the check cannot be started",
    { _tag: "PanelDecision", decision: "APPROVED", check: impossible },
    unaccepted,
    { finance: "APPROVED", identity: "UNAVAILABLE" },
    ["identity.unavailable", "finance_enquiry.approved"],
    ["CHECK_UNAVAILABLE", "FINANCE_APPROVED"]
  ),
  ...asks(({ check, events, from, identity, mails, name }) =>
    row(
      `the panel refers before it accepted ${name}`,
      { _tag: "PanelDecision", decision: "REFERRED", check },
      { ...unaccepted, ...from },
      { finance: "REFERRED", ...identity },
      [...events, "finance_enquiry.referred"],
      [...mails, "FINANCE_UPDATED"]
    )
  ),
  row(
    "the panel refers before it accepted and the check cannot be started",
    { _tag: "PanelDecision", decision: "REFERRED", check: impossible },
    unaccepted,
    { finance: "REFERRED", identity: "UNAVAILABLE" },
    ["identity.unavailable", "finance_enquiry.referred"],
    ["CHECK_UNAVAILABLE", "FINANCE_UPDATED"]
  ),
  row(
    "the panel declines before it accepted: nobody is asked to verify",
    { _tag: "PanelDecision", decision: "DECLINED" },
    unaccepted,
    { finance: "DECLINED", journey: "CANCELLED", isPageAwaited: false },
    ["finance_enquiry.declined", "journey.cancelled"],
    ["FINANCE_UPDATED"]
  ),
  row(
    "the application cannot be submitted",
    { _tag: "PanelFailed" },
    unaccepted,
    { finance: "SUBMISSION_FAILED", journey: "CANCELLED" },
    ["finance_enquiry.submission_failed", "journey.cancelled"],
    ["SUBMISSION_FAILED"]
  )
]
