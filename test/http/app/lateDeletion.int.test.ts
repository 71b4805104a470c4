/**
 * A deletion that comes late (D7): the database refused it at first, and meanwhile the team asked the customer again, who agreed
 * anew. What was given before goes, and what was given since stays.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { tokenIn, type CustomerBrowser } from "./CustomerBrowser.ts"
import { agreeTo, withdraw } from "../../support/consents.ts"
import { signedIn, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
beforeAll(async () => {
  ground = await startPages()
})
afterAll(() => ground.service.stop())

const deletionOf = async (journeyId: string) => {
  const [row] = await ground.service.query<{
    readonly owed: ReadonlyArray<{ readonly kind: string; readonly failures?: number }>
  }>("select state -> 'owed' as owed from journeys where id = $1", [journeyId])
  return row?.owed.find(({ kind }) => kind === "DELETE_BIOMETRICS")
}

const beginVideo = async (customer: CustomerBrowser) => {
  const token = tokenIn(await customer.ask("/app/video"))
  const answer = await customer.ask("/app/video-uploads", {
    method: "POST",
    headers: {
      origin: ground.service.baseUrl,
      "sec-fetch-site": "same-origin",
      "x-form-token": token,
      "x-challenge": customer.challenge
    }
  })
  expect(answer.status).toBe(201)
}

const uploadsOf = (journeyId: string) =>
  ground.service.query<{ readonly id: string }>("select id from video_uploads where journey_id = $1", [journeyId])

const askAgain = async () => {
  const { company, service } = ground
  const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
  const path = `/companies/${company.id}/reviews/${data.content[0].id}/decision`
  const body = { decision: "REJECT", reason: "Please record it after all" }
  expect((await askSettings(service, path, { body })).status).toBe(200)
}

it("deletes what was given before the customer was asked again, and leaves what they gave after they agreed anew", async () => {
  const { service } = ground
  const journeyId = await startFinanceSale(ground, "IN_STORE")
  const customer = await signedIn(ground, journeyId, "RECORD_VIDEO")
  await beginVideo(customer)
  const before = await uploadsOf(journeyId)
  await service.query(`
    create function refuse_deletion() returns trigger language plpgsql as
    $$ begin raise exception 'not now' using errcode = '57P03'; end $$`)
  await service.query(
    "create trigger refused before delete on customer_photos for each row execute function refuse_deletion()"
  )
  await withdraw(service, journeyId)
  await eventually(
    () => deletionOf(journeyId),
    (deletion) => deletion?.failures !== undefined
  )

  await askAgain()
  await agreeTo(service, journeyId, "video")
  await beginVideo(customer)
  const given = await uploadsOf(journeyId)
  expect(given).not.toEqual(before)
  expect(await deletionOf(journeyId)).toBeDefined()

  await service.query("drop trigger refused on customer_photos")
  await eventually(
    () => deletionOf(journeyId),
    (deletion) => deletion === undefined,
    30_000
  )
  expect(await service.query("select 1 from customer_photos where journey_id = $1", [journeyId])).toEqual([])
  expect(await uploadsOf(journeyId)).toEqual(given)
})
