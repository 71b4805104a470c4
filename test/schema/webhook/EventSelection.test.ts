/** Which events an endpoint's selection covers: everything, groups and single names. */
import { describe, expect, test } from "vitest"
import { eventTypes } from "../../../src/schema/journey/events.ts"
import { eventSelectors, isSelected, selectorsOf } from "../../../src/schema/webhook/EventSelection.ts"

describe("an endpoint's selection of events", () => {
  test("is made of everything, groups, and names", () => {
    expect(eventSelectors.filter((one) => one.endsWith("*"))).toEqual([
      "*",
      "journey.*",
      "finance_enquiry.*",
      "identity.*",
      "delivery.*"
    ])
    expect(eventSelectors.filter((one) => !one.endsWith("*"))).toEqual(eventTypes)
  })

  test("covers what it names, and ping always", () => {
    expect(isSelected(["identity.*"], "identity.verified")).toBe(true)
    expect(isSelected(["identity.*"], "journey.created")).toBe(false)
    expect(isSelected(["journey.created"], "journey.created")).toBe(true)
    expect(isSelected(["journey.created"], "journey.completed")).toBe(false)
    expect(eventTypes.every((type) => isSelected(["*"], type))).toBe(true)
    expect(isSelected([], "ping")).toBe(true)
  })

  test("names an event by everything, its name and its group", () => {
    expect(selectorsOf("delivery.completed")).toEqual(["*", "delivery.completed", "delivery.*"])
    expect(selectorsOf("ping")).toEqual(["*", "ping"])
  })
})
