/** Reviews and case files in the console, over HTTP: what the pages show, to whom, and what they leave in the audit log. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { keepFrames } from "../api/settings/caseGround.ts"
import { journeyAt, slowCompany, unavailableJourney, reviewOf } from "../api/settings/reviewGround.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"
import { identityReview, videoReview } from "./reviewsGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ credits: 40, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => ground.service.stop())

const audit = async () =>
  (await askSettings(ground.service, `/companies/${ground.company.id}/audit?size=100`)).data.content as ReadonlyArray<{
    readonly action: string
    readonly actor: string
    readonly details: Readonly<Record<string, unknown>>
  }>

const looksAt = async (journeyId: string) =>
  (await audit()).filter(({ details }) => details["journeyId"] === journeyId).map(({ action }) => action)

const person = (firstName: string, lastName = "Buyer") => ({ firstName, lastName, dateOfBirth: "1961-03-14" })
const good = "The document's photo is of the same person"

describe("the queue", () => {
  it("says what it is for while nothing waits", async () => {
    const page = await ground.team.ask("/console/reviews")
    expect(page.status).toBe(200)
    expect(page.text).toContain("Nothing waits for you.")
    expect((await ground.team.ask("/console/reviews?mode=TEST")).text).toContain(
      "open a test journey and force the outcome"
    )
    expect(page.text).toContain("Live journeys (0)")
    expect((await ground.team.ask("/console/reviews?mode=SOON")).status).toBe(400)
  })

  it("lists what waits, the longest waiting first, with name, age and reasons in words", async () => {
    const first = await identityReview(ground.service, ground.company, person("Ada", "First"))
    const second = await videoReview(ground.service, ground.company, person("Bea", "Second"))
    const { text } = await ground.team.ask("/console/reviews")
    expect(text.indexOf("Ada First")).toBeGreaterThan(0)
    expect(text.indexOf("Ada First")).toBeLessThan(text.indexOf("Bea Second"))
    expect(text).toContain(`/console/reviews/${first.reviewId}`)
    expect(text).toContain("The document and the selfie perhaps show two people <small><code>FACES_UNCLEAR</code>")
    expect(text).toContain("Several people are seen in the video")
    expect(text).toMatch(/0 min\s+<small><time datetime="/)
    expect((await audit())[0]).toMatchObject({ action: "reviews.listed", actor: expect.stringMatching(/^member:/) })
    for (const one of [first, second]) {
      await ground.owner.submit(`/console/reviews/${one.reviewId}`, { decision: "REJECT", reason: good, next: "" })
    }
  })
})

describe("a review of an identity check", () => {
  it("shows the evidence, the case file and what the customer will read, and is decided into the next one", async () => {
    const one = await identityReview(ground.service, ground.company, { ...person("Cleo"), notes: "Ring twice" })
    const next = await identityReview(ground.service, ground.company, person("Dora"))
    const path = `/console/reviews/${one.reviewId}`
    const page = await ground.team.ask(path)
    expect(page.status).toBe(200)
    for (const said of [
      "<h1>Review: identity check</h1>",
      "<bdi>Cleo Buyer</bdi></strong\n      >, date of birth 1961-03-14, <bdi>",
      `${path}/pictures/document`,
      `${path}/pictures/selfie`,
      "Ring twice",
      "Not confirmed yet",
      "Please verify your identity again",
      "The reason, as you write it here",
      `data-key="j" href="/console/reviews/${next.reviewId}"`
    ]) {
      expect(page.text).toContain(said)
    }
    const photo = await ground.team.ask(`${path}/pictures/selfie`)
    expect([photo.status, photo.headers.get("content-type"), photo.headers.get("cache-control"), photo.text]).toEqual([
      200,
      "image/jpeg",
      "no-store",
      "a UNCLEAR selfie"
    ])
    expect(await looksAt(one.journeyId)).toEqual(["review.picture_opened", "case.opened", "review.opened"])
    const decided = await ground.team.submitAndFollow(path, {
      decision: "APPROVE",
      reason: good,
      next: next.reviewId
    })
    expect(decided.text).toContain("Approved. This is the next review.")
    expect(decided.text).toContain("<bdi>Dora Buyer</bdi>")
    const line = (await audit()).find(({ action }) => action === "review.decided")
    expect(line).toMatchObject({ actor: expect.stringMatching(/^member:/), details: { decision: "APPROVE" } })
    // A link in a mail may well be opened when somebody has decided.
    expect(wordsOf(await ground.owner.ask(path))).toMatch(/It began to wait \d.*over\. Approved [^.]* by team@people/)
    // Whoever comes second is told so, and the page has nothing more to decide.
    const late = await ground.owner.submit(
      `/console/reviews/${next.reviewId}`,
      { decision: "REJECT", reason: good },
      path
    )
    expect(late.status).toBe(409)
    expect(late.text).toContain("Your decision was not taken.")
    expect(late.text).not.toContain("<textarea")
    expect((await ground.owner.ask(path)).text).toContain("This review is over.")
    await ground.owner.submit(`/console/reviews/${next.reviewId}`, { decision: "REJECT", reason: good, next: "" })
  })

  it("says beside the field what is wrong with a reason, and keeps what was typed", async () => {
    const { reviewId } = await identityReview(ground.service, ground.company, person("Ed"))
    const path = `/console/reviews/${reviewId}`
    const page = await ground.team.submit(path, { decision: "REJECT", reason: "<b>no</b>", next: "" })
    expect(page.status).toBe(422)
    expect(page.text).toContain("&lt;b&gt;no&lt;/b&gt;")
    expect(page.text).toContain('aria-invalid="true"')
    expect(page.text).toContain('Nothing was decided: <a href="#reason-reject">')
    const empty = await ground.team.submit(path, { decision: "APPROVE", reason: "", next: "" })
    expect([empty.status, empty.text.includes("Please write the reason.")]).toEqual([422, true])
    expect((await ground.team.send(path, { decision: "APPROVE", reason: good, token: "wrong" })).status).toBe(403)
    const last = await ground.team.submit(path, { decision: "REJECT", reason: good, next: "https://elsewhere.example" })
    expect(last.location).toBe("/console/reviews?mode=LIVE")
  })

  it("shows names that are markup or run from right to left as they are", async () => {
    const { journeyId, reviewId } = await identityReview(ground.service, ground.company, {
      firstName: "O'Brien",
      lastName: "\u05d3\u05d5\u05d3",
      notes: '<script>alert(1)</script><img src="x" onerror="alert(1)">'
    })
    for (const path of [`/console/reviews/${reviewId}`, `/console/journeys/${journeyId}/case?reason=support`]) {
      const { text } = await ground.team.ask(path)
      expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
      expect(text).not.toContain("<script>alert")
    }
    expect((await ground.team.ask("/console/reviews")).text).toContain("<bdi>O&#39;Brien \u05d3\u05d5\u05d3</bdi>")
    await ground.team.submit(`/console/reviews/${reviewId}`, { decision: "REJECT", reason: good, next: "" })
  })
})

describe("a review of a video", () => {
  it("shows the reference beside the frames with what was seen in them, and the video in parts", async () => {
    const one = await videoReview(ground.service, ground.company, person("Fay"))
    await keepFrames(
      ground.service,
      one.videoId,
      [
        { at: 1500, outcome: "SEVERAL_FACES", similarity: null },
        { at: 4500, outcome: "UNCLEAR", similarity: 0.412 }
      ],
      { name: "customer-photo", of: one.journeyId }
    )
    const path = `/console/reviews/${one.reviewId}`
    const { text } = await ground.team.ask(path)
    const base = `/console/journeys/${one.journeyId}/case`
    for (const said of [
      `<video controls playsinline preload="metadata" src="${path}/video"`,
      `${base}/pictures/${one.journeyId}/customer-photo?reason=review`,
      `${base}/video/frames/2?reason=review`,
      "Several faces",
      "at 4.5 s",
      "likeness 0.41"
    ]) {
      expect(text).toContain(said)
    }
    const frame = await ground.team.ask(`${base}/video/frames/2?reason=review`)
    expect([frame.status, frame.text]).toEqual([200, "frame 2"])
    expect((await ground.team.ask(`${base}/pictures/${one.journeyId}/customer-photo?reason=review`)).text).toBe(
      "a photo"
    )
    const part = await ground.team.ask(`${path}/video`, { headers: { range: "bytes=2-6" } })
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "video", "bytes 2-6/23"])
    expect(part.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect((await audit()).find(({ action }) => action === "case.frame_opened")?.details).toEqual({
      journeyId: one.journeyId,
      reason: "review",
      frame: 2
    })
    const done = await ground.team.submitAndFollow(path, { decision: "APPROVE", reason: good, next: "" })
    expect(done.text).toContain("Approved. Nothing else waited.")
    expect((await ground.team.ask(`${path}/video`)).status).toBe(404)
    // The case file shows it as long as it is kept.
    expect((await ground.team.ask(`${base}/video?reason=support`)).status).toBe(200)
  })
})

describe("a check that could not be started", () => {
  it("is resent from its page", async () => {
    const company = await slowCompany(ground.service)
    const team = await signInMember(ground.service, company.id, "TEAM")
    const { id } = await unavailableJourney(ground.service, company)
    const path = `/console/reviews/${await reviewOf(ground.service, company, id)}`
    const { text } = await team.ask(path)
    expect(text).toContain("Resend the check")
    expect(text).not.toContain("<textarea")
    const sent = await team.submitAndFollow(path, { journeyId: id }, `${path}/resend`)
    expect(sent.text).toContain("The check was resent.")
    expect(wordsOf(await team.submit(path, { journeyId: id }, `${path}/resend`))).toContain("The check was not resent.")
  })
})

const tickAt = async (id: string) => {
  const [row] = await ground.service.query<{ readonly millis: string }>(
    "select state -> 'sandbox' ->> 'tickAt' as millis from journeys where id = $1",
    [id]
  )
  return Number(row?.millis)
}

describe("a review of a test journey", () => {
  it("waits for whoever has opened it, says until when, and goes on with the decision", async () => {
    const company = await makeCompany(ground.service, { settings: { sandbox: { pace: 60 } } })
    const team = await signInMember(ground.service, company.id, "TEAM")
    const { id } = await journeyAt(ground.service, company, "CASH_SALE", "identity.under_review")
    const soon = await tickAt(id)
    const path = `/console/reviews/${await reviewOf(ground.service, company, id)}`
    // Nothing live waits: the queue opens on the test journeys.
    expect(wordsOf(await team.ask("/console/reviews"))).toMatch(/Test journeys \(1\) All reviews .* 1 waiting/)
    const { text } = await team.ask(path)
    const held = await tickAt(id)
    expect(held).toBeGreaterThan(soon + 8 * 60_000)
    expect(text).toContain("This test journey waits for you until")
    // A second look within the minute is no second commit.
    const file = await team.ask(`/console/journeys/${id}/case?reason=review`)
    expect([file.text.includes(new Date(held).toISOString()), await tickAt(id)]).toEqual([true, held])
    const done = await team.submit(path, { decision: "APPROVE", reason: good, next: "" })
    expect(done.location).toBe("/console/reviews?mode=TEST")
    const after = await team.ask(done.location ?? "")
    expect(after.text).toContain(
      `Approved. Nothing else waited. <a href="/console/journeys/${id}">See the journey.</a>`
    )
    expect(await tickAt(id)).toBeLessThan(held - 8 * 60_000)
    expect((await team.ask(path)).text).not.toContain("waits for you until")
  })
})

describe("the case file", () => {
  it("names the customer and asks why somebody looks before it shows more, and writes each look down", async () => {
    const { journeyId, reviewId } = await identityReview(ground.service, ground.company, person("Gus"))
    const path = `/console/journeys/${journeyId}/case`
    const gate = await ground.team.ask(path)
    expect(gate.text).toContain("Why do you look?")
    expect(gate.text).toContain("Customer: <strong><bdi>Gus Buyer</bdi></strong>")
    expect(gate.text).toContain(`<a href="/console/journeys/${journeyId}"><bdi>AB12 CDE</bdi></a`)
    expect(await looksAt(journeyId)).toEqual(["journey.opened"])
    const page = await ground.team.ask(`${path}?reason=support`)
    expect(page.text).toContain("<strong><bdi>Gus Buyer</bdi></strong")
    expect(page.text).toContain(`href="/console/journeys/${journeyId}/correct"`)
    expect(page.text).toContain("There is no handover yet.")
    expect(page.text).toContain("?reason=support")
    expect(await looksAt(journeyId)).toEqual(["case.opened", "journey.opened"])
    expect((await audit())[0]?.details).toMatchObject({ reason: "support" })
    expect((await ground.team.ask(`${path}?reason=curiosity`)).status).toBe(400)
    await ground.team.submit(`/console/reviews/${reviewId}`, { decision: "REJECT", reason: good, next: "" })
  })

  it("says after an erasure that everything is gone", async () => {
    const { journeyId, reviewId } = await videoReview(ground.service, ground.company, person("Hal"))
    const [row] = await ground.service.query<{ readonly id: string }>(
      "select customer_id as id from journeys where id = $1",
      [journeyId]
    )
    await askSettings(ground.service, `/companies/${ground.company.id}/customers/${row?.id}`, { method: "DELETE" })
    const base = `/console/journeys/${journeyId}/case`
    const page = await ground.team.ask(`${base}?reason=support`)
    expect(page.text).toContain("The customer was erased.")
    expect(page.text).toContain("Gone with the customer.")
    expect(page.text).not.toContain("Hal")
    expect((await ground.team.ask(`/console/reviews/${reviewId}`)).text).toContain("<bdi>Erased customer</bdi>")
    for (const path of ["/video", "/video/frames/1", `/pictures/${journeyId}/customer-photo`]) {
      expect((await ground.team.ask(`${base}${path}?reason=support`)).status).toBe(404)
    }
  })

  it("of another company is as unknown as one that does not exist, with all that belongs to it", async () => {
    const other = await makeCompany(ground.service)
    const stranger = await signInMember(ground.service, other.id, "OWNER")
    const one = await videoReview(ground.service, ground.company, person("Ivy"))
    const base = `/console/journeys/${one.journeyId}/case`
    for (const path of [
      `/console/reviews/${one.reviewId}`,
      `/console/reviews/${one.reviewId}/video`,
      `/console/reviews/${one.reviewId}/pictures/customer-photo`,
      `${base}?reason=support`,
      `${base}/video?reason=support`,
      `${base}/video/frames/1?reason=support`,
      `${base}/pictures/${one.journeyId}/customer-photo?reason=support`
    ]) {
      expect((await stranger.ask(path)).status, path).toBe(404)
      expect((await ground.nobody.ask(path)).status, path).toBe(303)
    }
    const sent = await stranger.submit(
      "/console/reviews",
      { decision: "APPROVE", reason: good },
      `/console/reviews/${one.reviewId}`
    )
    expect(sent.status).toBe(404)
    expect((await stranger.ask("/console/reviews")).text).not.toContain("Ivy")
  })
})
