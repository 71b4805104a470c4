/** What an outside identity provider is told of a customer (decision D6). */
import { describe, expect, it } from "vitest"
import { checkedCustomer } from "../../../../src/actors/journey/rules/checkedCustomer.ts"
import { startExamples } from "../../../../src/schema/start/examples.ts"
import { Shape } from "../../../../src/schema/journey/statuses.ts"

describe("the customer of a check", () => {
  it.each(Shape.literals)("of %s is their name and, where known, their birth date, and nothing else", (shape) => {
    const { customer } = startExamples[shape]
    const { firstName, lastName } = customer
    const dateOfBirth = "dateOfBirth" in customer ? customer.dateOfBirth : null
    expect(checkedCustomer(structuredClone(startExamples[shape]))).toEqual({ firstName, lastName, dateOfBirth })
  })

  it("is not read from a record that does not name them", () => {
    for (const record of [null, {}, [], { customer: null }, { customer: { firstName: "Owen" } }]) {
      expect(checkedCustomer(record)).toBeNull()
    }
  })
})
