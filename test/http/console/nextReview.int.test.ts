/** Which review comes after a decision, while somebody else decides reviews of the same queue. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"
import { identityReview, videoReview } from "./reviewsGround.ts"

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

it("whoever works through the reviews of one kind sees these alone, and is led from one of them to the next", async () => {
  const video = await videoReview(ground.service, ground.company, { firstName: "Ida", lastName: "Buyer" })
  const identity = await identityReview(ground.service, ground.company, { firstName: "Jon", lastName: "Buyer" })
  const last = await videoReview(ground.service, ground.company, { firstName: "Kim", lastName: "Buyer" })
  const listed = await ground.team.ask("/console/reviews?mode=LIVE&kind=VIDEO")
  expect(listed.text).toContain("2 waiting, the longest first")
  for (const words of ["Identity check (1)", "Handover video (2)", "Check could not be started (0)"]) {
    expect(listed.text).toContain(words)
  }
  expect(listed.text).toContain(`href="/console/reviews/${video.reviewId}?kind=VIDEO"`)
  expect(listed.text).not.toContain(identity.reviewId)
  const page = await ground.team.ask(`/console/reviews/${video.reviewId}?kind=VIDEO`)
  expect(page.text).toContain("All that waits (2)")
  expect(page.text).toContain(`data-key="j" href="/console/reviews/${last.reviewId}?kind=VIDEO"`)
  const decision = { decision: "REJECT", reason: good }
  const send = (id: string) => ground.team.submit(`/console/reviews/${id}?kind=VIDEO`, decision)
  expect((await send(video.reviewId)).location).toBe(`/console/reviews/${last.reviewId}?kind=VIDEO`)
  const done = await send(last.reviewId)
  expect(done.location).toBe("/console/reviews?mode=LIVE&kind=VIDEO")
  const none = await ground.team.ask(done.location ?? "")
  expect(none.text).toContain("Rejected. Nothing else of this kind waited.")
  expect(none.text).toContain("Nothing of this kind waits for you.")
  expect((await ground.team.ask("/console/reviews")).text).toContain(identity.reviewId)
  expect((await ground.team.ask("/console/reviews?kind=SOON")).status).toBe(400)
})
