/**
 * Whole lives of journeys as a receiver hears them, for the test kit in the client package: each shape on its happy path, each
 * scenario of the sandbox, and a journey that its caller cancels. They are played through the rules that run, so the order and
 * the statuses of the events are the service's own. All ids are invented and stay the same.
 */
import { decide } from "../../../actors/journey/rules/decide.ts"
import { decideStart, type StartFacts } from "../../../actors/journey/rules/decideStart.ts"
import { record } from "../../../actors/journey/rules/recordedEvent.ts"
import { scriptedStep } from "../../../actors/journey/rules/script.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { CompanyId, JourneyId } from "../../../schema/ids.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { scenarios, type Scenario } from "../../../schema/journey/sandbox.ts"
import { Shape } from "../../../schema/journey/statuses.ts"
import { startExamples } from "../../../schema/start/examples.ts"

export interface ExampleLife {
  readonly name: string
  /** The body that starts such a journey. */
  readonly start: unknown
  /** In the order in which they happen. */
  readonly events: ReadonlyArray<unknown>
}

const startedAt = Date.UTC(2026, 0, 15, 10, 30)
const minute = 60_000

/** The shapes that a scenario shows itself in. */
const shapeFor = (scenario: Scenario): Shape => {
  if (scenario.startsWith("panel")) return "FINANCE_SUBMIT_VIA_MIRA"
  return scenario.startsWith("video") ? "CASH_SALE" : "IDENTITY_DELIVERY"
}

const factsOf = (shape: Shape, scenario: Scenario | null, place: number): StartFacts => {
  const { delivery, externalReference = null } = startExamples[shape]
  const isApplication = shape === "FINANCE_SUBMIT_VIA_MIRA"
  return {
    id: JourneyId.make(exampleId("journey", place)),
    companyId: CompanyId.make(exampleId("company", 1)),
    livemode: false,
    customerReference: exampleId("customer", place),
    isNewCustomer: true,
    externalReference,
    shape,
    handoverType: delivery.type,
    inventoryVehicleId: null,
    financeDetails:
      isApplication || shape === "FINANCE_ALREADY_SUBMITTED"
        ? {
            panelSubmission: isApplication ? "SUBMIT_VIA_MIRA" : "ALREADY_SUBMITTED",
            panelName: null,
            panelReference: null,
            lender: null
          }
        : null,
    decision: null,
    check: { possible: true, by: "BUILT_IN" },
    identityWindowDays: 30,
    handoverWindowDays: 30,
    sandbox: { scenario, stepMillis: null, callerStepMillis: minute }
  }
}

/** Plays the script to the journey's end; `first` comes before it. */
const playedLife = (
  facts: StartFacts,
  name: string,
  first: ReadonlyArray<JourneyMessage>,
  newId: () => string
): ExampleLife => {
  let now = startedAt
  const started = record(decideStart(facts, now), now, newId)
  const events = [...started.events]
  let { journey } = started
  const waiting = [...first]
  while (journey.status === "ACTIVE") {
    if (waiting.length === 0) waiting.push(...(scriptedStep(journey)?.messages ?? []))
    const message = waiting.shift()
    const outcome = message === undefined ? undefined : decide(journey, message, (now += minute))
    if (outcome?._tag !== "Step") throw new Error(`${name} stops at ${JSON.stringify(message)}`)
    const recorded = record(outcome, now, newId)
    journey = recorded.journey
    events.push(...recorded.events)
  }
  return { name, start: startExamples[facts.shape], events: events.map(({ body }) => JSON.parse(body) as unknown) }
}

export const exampleLives = (): ReadonlyArray<ExampleLife> => {
  const happy = Shape.literals.map((shape) => ({ name: shape, shape, scenario: null, first: [] }))
  const special = (Object.keys(scenarios) as ReadonlyArray<Scenario>)
    .filter((scenario) => scenario !== "never")
    .map((scenario) => ({ name: scenario, shape: shapeFor(scenario), scenario, first: [] }))
  let count = 0
  const newId = () => exampleId("event", (count += 1))
  const cancelled = { name: "cancelled", shape: "CASH_SALE", scenario: null, first: [{ _tag: "Cancel" }] } as const
  return [...happy, ...special, cancelled].map(({ first, name, scenario, shape }, at) =>
    playedLife(factsOf(shape, scenario, at + 1), name, first, newId)
  )
}
