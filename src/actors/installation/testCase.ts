/**
 * A test case out of a journal: the facts of the start, read back from the state and the first events, and the messages. What
 * could lead to a person, a company or a deal is replaced by a text that is the same in every case. Pure.
 */
import { exampleId } from "../../schema/exampleId.ts"
import { testCaseFormat, type TestCaseResource } from "../../schema/installation/TestCase.ts"
import { Decision, UnavailableReason } from "../../schema/journey/statuses.ts"
import type { CheckPossible } from "../../schema/journey/messages.ts"
import type { StartFacts } from "../journey/rules/decideStart.ts"
import type { Journal } from "./TestCases.ts"

/** Present where there was a text; the mark shows where one leaks. */
const placeholder = (text: string | null, name: string): string | null => (text === null ? null : `${name}!000000`)

/** Whether the start could ask for an identity check, and of whom: told by its own events. */
const checkOf = (first: Journal["events"]): CheckPossible => {
  const unavailable = first.find(({ type }) => type === "identity.unavailable")
  const reason = UnavailableReason.literals.find((one) => one === unavailable?.reason)
  if (reason !== undefined) return { possible: false, reason }
  const isOurs = first.some(({ type }) => type === "identity.requested")
  return { possible: true, by: isOurs ? "BUILT_IN" : "HTTP" }
}

const factsOf = ({ events, isNewCustomer, journey }: Journal): StartFacts => {
  const first = events.filter(({ version }) => version === 1)
  const { financeDetails, sandbox } = journey
  const decided = new Set(first.map(({ type }) => type.replace("finance_enquiry.", "").toUpperCase()))
  return {
    id: exampleId("journey", 1),
    companyId: exampleId("company", 1),
    customerReference: exampleId("customer", 1),
    livemode: journey.livemode,
    isNewCustomer,
    externalReference: placeholder(journey.externalReference, "reference"),
    shape: journey.shape,
    handoverType: journey.handoverType,
    inventoryVehicleId: placeholder(journey.inventoryVehicleId, "stock"),
    financeDetails: financeDetails && {
      panelSubmission: financeDetails.panelSubmission,
      panelName: placeholder(financeDetails.panelName, "panelName"),
      panelReference: placeholder(financeDetails.panelReference, "panelReference"),
      lender: placeholder(financeDetails.lender, "lender")
    },
    decision: Decision.literals.find((decision) => decided.has(decision)) ?? null,
    check: checkOf(first),
    identityWindowDays: journey.identityWindowDays,
    handoverWindowDays: journey.handoverWindowDays,
    sandbox: sandbox && {
      scenario: sandbox.scenario,
      stepMillis: sandbox.stepMillis,
      callerStepMillis: sandbox.callerStepMillis
    }
  }
}

/** Without the keyed hash of what the sender said besides. */
const plain = (message: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== "fingerprint"))

export const testCaseOf = (journal: Journal): TestCaseResource => {
  const [start, ...later] = journal.lines
  return {
    format: testCaseFormat,
    facts: { ...factsOf(journal) },
    startedAt: start?.at ?? journal.journey.createdAt,
    messages: later.map(({ at, message }) => ({ at, message: plain(message) })),
    cameTo: { status: journal.journey.status, events: journal.events.map(({ type }) => type) },
    isWhole: journal.isWhole
  }
}
