/** Every step of the customer has a page: the path in the step's row is the path of a route. */
import { describe, expect, it } from "vitest"
import { appRoutes } from "../../../src/http/app/appRoutes.ts"
import { customerSteps, STEPS } from "../../../src/schema/journey/steps.ts"

describe("the customer's app", () => {
  it.each(customerSteps)("has a page for the step %s", (step) => {
    const pages = appRoutes.filter(({ method }) => method === "GET").map(({ path }) => path)
    expect(pages).toContain(STEPS[step].app.path)
  })
})
