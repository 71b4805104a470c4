/** Every step of the customer has a page, and the page has somewhere to send what the customer did: both below the path of the step's row. */
import { describe, expect, it } from "vitest"
import { appRoutes } from "../../../src/http/app/appRoutes.ts"
import { customerSteps, STEPS } from "../../../src/schema/journey/steps.ts"

describe("the customer's app", () => {
  it.each(customerSteps)("has a page for the step %s", (step) => {
    const pages = appRoutes.filter(({ method }) => method === "GET").map(({ path }) => path)
    expect(pages).toContain(STEPS[step].app.path)
  })

  it.each(customerSteps)("takes what the customer sends on the page of the step %s", (step) => {
    const { path: page } = STEPS[step].app
    const sent = appRoutes.filter(({ method }) => method === "POST" || method === "PUT").map(({ path }) => path)
    expect(sent.filter((path) => path === page || path.startsWith(`${page}/`))).not.toEqual([])
  })
})
