/** Two of the team at one review: each is told that the other has it open, nobody is held up, and a look ends by itself. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { signInMember, startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"
import { identityReview } from "./reviewsGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ credits: 40, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => ground.service.stop())

const newReview = async () => {
  const { reviewId } = await identityReview(ground.service, ground.company, { firstName: "Ada", lastName: "Buyer" })
  return { reviewId, path: `/console/reviews/${reviewId}` }
}

const openIn = async (browser: ConsoleBrowser, path: string) => wordsOf(await browser.ask(path))

/** Time goes by for every look. */
const later = (minutes: number) =>
  ground.service.query(
    "update review_looks set seen_at = seen_at - $1 * interval '1 minute', since = since - $1 * interval '1 minute'",
    [minutes]
  )

const ownersLook = "owner@people.example has this review open, too"

it("names whoever has the review open to the other, on the review and in the list, and to nobody themselves", async () => {
  const { path } = await newReview()
  expect(await openIn(ground.owner, path)).not.toContain("has this review open")
  expect(await openIn(ground.team, path)).toContain(ownersLook)
  expect(await openIn(ground.owner, `${path}/now`)).toContain("team@people.example has this review open, too")
  expect(await openIn(ground.team, "/console/reviews")).toContain("Open: owner@people.example since")
  const own = await openIn(
    await signInMember(ground.service, ground.company.id, "TEAM", "third@people.example"),
    "/console/reviews"
  )
  expect(own).toContain("Open: owner@people.example since")
  expect(own).toContain("Open: team@people.example since")
})

it("is over two minutes after the page was last looked at, and begins anew after that", async () => {
  const { path, reviewId } = await newReview()
  await openIn(ground.owner, path)
  await later(1)
  await openIn(ground.owner, `${path}/now`)
  await later(1)
  const { data: stillOpen } = await askSettings(ground.service, `/companies/${ground.company.id}/reviews/${reviewId}`)
  expect(stillOpen.openedBy).toMatchObject([{ byName: "owner@people.example" }])
  expect(Date.now() - Date.parse(stillOpen.openedBy[0].since)).toBeGreaterThan(119_000)
  await later(2)
  expect(await openIn(ground.team, path)).not.toContain("has this review open")
  await openIn(ground.owner, `${path}/now`)
  const { data: anew } = await askSettings(ground.service, `/companies/${ground.company.id}/reviews/${reviewId}`)
  const own = anew.openedBy.find(({ byName }: { readonly byName: string }) => byName === "owner@people.example")
  expect(Date.now() - Date.parse(own.since)).toBeLessThan(60_000)
})

it("holds nobody up, and tells whoever still writes that the review is over and who decided it", async () => {
  const { path, reviewId } = await newReview()
  await openIn(ground.owner, path)
  const reason = "The document's photo is of the same person"
  const decided = await ground.team.submit(path, { decision: "APPROVE", reason })
  expect(decided.status).toBe(303)
  const now = await openIn(ground.owner, `${path}/now`)
  expect(now).toContain("This review is over. Approved")
  expect(now).toContain("by team@people.example")
  expect(now).toContain("What you have written here is not sent.")
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/reviews/${reviewId}`)
  expect(data).toMatchObject({ open: false, openedBy: [] })
})

it("is no look at personal data and no use of the session, and another company finds no review", async () => {
  const { path } = await newReview()
  await openIn(ground.team, path)
  const lines = async () =>
    (await askSettings(ground.service, `/companies/${ground.company.id}/audit?size=100`)).data.content.length
  const before = await lines()
  const used = () => ground.service.query("select seen_at from console_sessions order by id")
  const seenBefore = await used()
  await ground.team.ask(`${path}/now`, { headers: { "x-look": "1", "hx-request": "true" } })
  expect([await lines(), await used()]).toEqual([before, seenBefore])
  const other = await makeCompany(ground.service, { name: "Elsewhere Cars" })
  const stranger = await signInMember(ground.service, other.id, "OWNER", "stranger@people.example")
  for (const at of [`${path}/now`, `/console/reviews/${randomUUID()}/now`])
    expect((await stranger.ask(at)).status).toBe(404)
})
