/** Which review comes after a decision, while somebody else decides reviews of the same queue. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"
import { identityReview } from "./reviewsGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => ground.service.stop())

const good = "The document's photo is of the same person"

it("a review is decided into one that still waits, although somebody else has meanwhile decided the one that was next", async () => {
  const [mine, taken, waiting] = [
    await identityReview(ground.service, ground.company, { firstName: "Fay", lastName: "Buyer" }),
    await identityReview(ground.service, ground.company, { firstName: "Gil", lastName: "Buyer" }),
    await identityReview(ground.service, ground.company, { firstName: "Hope", lastName: "Buyer" })
  ]
  const page = await ground.team.ask(`/console/reviews/${mine.reviewId}`)
  const next = /name="next" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
  const decision = { decision: "REJECT", reason: good, next }
  await ground.owner.submit(`/console/reviews/${taken.reviewId}`, decision)
  const decided = await ground.team.submitAndFollow(`/console/reviews/${mine.reviewId}`, decision)
  expect(decided.text).toContain("Rejected. This is the next review.")
  expect(decided.text).toContain("<bdi>Hope Buyer</bdi>")
  const last = await ground.team.submit(`/console/reviews/${waiting.reviewId}`, decision)
  expect(last.location).toBe("/console/reviews?mode=LIVE")
})
