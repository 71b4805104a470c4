/** The rows of `STEPS` against the transition table: what a row says of its step is what the moves of the journey do. */
import { describe, expect, it } from "vitest"
import { TABLE } from "../../../../src/actors/journey/rules/table/table.ts"
import type { Row } from "../../../../src/actors/journey/rules/table/row.ts"
import {
  customerSteps,
  handoverAwaitsCustomer,
  STEPS,
  stepsWithOpenAddress,
  type CustomerStep
} from "../../../../src/schema/journey/steps.ts"

const turnsOf = (step: CustomerStep): Readonly<Record<string, string>> => STEPS[step].turns

/** The moves of the step's region that come from a status in which the step is open, and leave it done. */
const endsOf = (step: CustomerStep): ReadonlyArray<Row> =>
  TABLE.filter((row) => {
    const turns = turnsOf(step)
    const isOpen = row.from.some((status) => !["LATER", "DONE", undefined].includes(turns[status]))
    return row.region === STEPS[step].region && isOpen && row.to !== undefined && turns[row.to] === "DONE"
  }).filter(({ on }) => !on.includes("cancel handover") && !on.includes("expire handover"))

describe.each(customerSteps)("the row of the step %s", (step) => {
  it("names as its end an event that every move tells that leaves the step done", () => {
    const ends = endsOf(step)
    expect(ends.length).toBeGreaterThan(0)
    for (const { events } of ends) expect(events).toContain(STEPS[step].doneWith)
  })

  it("is asked of the customer by a mail of its own kind wherever a move makes it the customer's turn", () => {
    const turns = turnsOf(step)
    const asks = TABLE.filter(
      ({ from, region, to }) =>
        region === STEPS[step].region && to !== undefined && turns[to] === "CUSTOMER" && !from.includes(to as never)
    )
    // "count as asked" is followed by a result, which brings the mail.
    const mailed = asks.filter(({ on }) => !on.includes("count as asked"))
    expect(mailed.length).toBeGreaterThan(0)
    for (const { mails } of mailed) expect(mails).toContain(step)
  })
})

describe("what is derived from the rows", () => {
  it("asks the customer for a step in two statuses of the handover", () => {
    expect(handoverAwaitsCustomer).toEqual(["AWAITING_LOCATION", "AWAITING_VIDEO"])
  })

  it("leaves the address open from its own step to the video", () => {
    expect(stepsWithOpenAddress).toEqual(["CONFIRM_ADDRESS", "RECORD_VIDEO"])
  })
})
