/** Live journeys whose identity check or video waits for the team, with real photos and a real video. Not a test itself. */
import { fillFromState } from "../../../src/runtime/postgres/migrations/0013_waiting.ts"
import { start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import type { Service } from "../../support/service.ts"
import { keepAttempt, keepPhoto, keepVideo } from "../api/settings/caseGround.ts"

/** Of whom a journey is: text that would be markup, and a name that runs from right to left. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth?: string
  readonly notes?: string
}

const startOf = async (service: Service, company: TestCompany, { notes, ...name }: Person) => {
  const body = startBody("IDENTITY_DELIVERY")
  Object.assign(body.customer, name, { email: `person${Math.random().toString(36).slice(2)}@example.com` })
  body.delivery = { type: "HOME_DELIVERY", ...(notes === undefined ? {} : { notes }) }
  const { data, errors } = await start(service, company.liveKey, body)
  if (errors !== null) throw new Error(JSON.stringify(errors))
  await eventually(
    () => service.query("select 1 from journeys where id = $1 and state -> 'owed' ->> 0 is null", [data.id]),
    (rows) => rows.length === 1
  )
  return data.id as string
}

/** The journey as a check would have left it, and of a version that no actor has in memory. */
const intoReview = async (service: Service, id: string, members: Readonly<Record<string, object>>, event: string) => {
  for (const [member, change] of Object.entries(members)) {
    await service.query(
      `update journeys set version = version + 1, waiting_on = 'DEALER_TO_REVIEW',
         state = jsonb_set(state::jsonb, array[$2::text], coalesce(nullif(state::jsonb -> $2::text, 'null'), '{}') || $3::text::jsonb)::json
       where id = $1`,
      [id, member, JSON.stringify(change)]
    )
  }
  await service.query(fillFromState)
  const [row] = await service.query<{ readonly id: string }>(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     select id, 99, gen_random_uuid(), company_id, livemode, $2, '{"data":{}}', clock_timestamp() from journeys where id = $1
     returning id`,
    [id, event]
  )
  if (row === undefined) throw new Error("no review")
  return row.id
}

/** An identity check that no machine could decide: document and selfie are there to be looked at. */
export const identityReview = async (
  service: Service,
  company: TestCompany,
  person: Person,
  photos?: { readonly document: Uint8Array; readonly selfie: Uint8Array }
) => {
  const journeyId = await startOf(service, company, person)
  await keepAttempt(service, journeyId, "UNCLEAR", "IdentityUnderReview", ["FACES_UNCLEAR"], photos)
  const identity = { status: "UNDER_REVIEW", attempts: 1, check: 0, reasons: ["FACES_UNCLEAR"] }
  return { journeyId, reviewId: await intoReview(service, journeyId, { identity }, "identity.under_review") }
}

/** A handover video that no machine could decide, with the photo that it is compared with. */
export const videoReview = async (
  service: Service,
  company: TestCompany,
  person: Person,
  kept?: { readonly photo: Uint8Array; readonly video: Uint8Array; readonly kind: "MP4" | "WEBM" }
) => {
  const journeyId = await startOf(service, company, person)
  await keepPhoto(service, journeyId, kept?.photo)
  const videoId = await keepVideo(service, journeyId, kept && [kept.video], kept?.kind)
  const members = {
    identity: { status: "VERIFIED", attempts: 1, check: 0, requestedAt: 0, verifiedAt: 0 },
    handover: {
      status: "UNDER_REVIEW",
      createdAt: 0,
      completedAt: null,
      mismatches: 0,
      reasons: ["SEVERAL_PEOPLE"]
    }
  }
  return { journeyId, videoId, reviewId: await intoReview(service, journeyId, members, "delivery.under_review") }
}
