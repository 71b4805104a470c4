/**
 * kill -9 during a check that the service makes itself, of a customer's identity or of a handover video: in the middle
 * of the check, and between its verdict and the journey's record of it. The customer sends the photos again, and the
 * video is checked again by itself. However often something was looked at, the journey moves on once and each mail
 * comes once.
 */
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, it } from "vitest"
import { nextId } from "../../src/runtime/node/NodeIds.ts"
import { CustomerBrowser, tokenIn, turnsIn } from "../http/app/CustomerBrowser.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/freePort.ts"
import { startWithPhoto } from "../support/multipart.ts"
import { documentPhoto, facePhoto } from "../support/photos.ts"
import { freshDatabase } from "../support/service.ts"
import { turningVideo } from "../support/videos.ts"
import { holdRows, type HeldRows } from "./heldRows.ts"
import { skipTheWait } from "./skipTheWait.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"

/** A look at a photo takes part of a second; on a busy machine it takes many. */
const lookedAtWithinMillis = 300_000
const mostLooks = 10

let databaseUrl: string
let port: number
let service: ServiceProcess
let company: TestCompany

const launch = async () => {
  service = await startProcess(databaseUrl, port)
}
beforeEach(async () => {
  databaseUrl = await freshDatabase()
  port = await freePort()
  await launch()
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterEach(() => service.end("SIGKILL"))

const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
  queryDirectly<Row>(databaseUrl, text, values)

const bodyOf = (shape: "IDENTITY_DELIVERY" | "FINANCE_SALE") => {
  const body = startBody(shape)
  body.customer.email = `${randomUUID()}@customer.example`
  body.delivery.type = "IN_STORE"
  return body
}

/** The customer of a journey, signed in by the link in their mail. */
const customerOf = async (journeyId: string): Promise<CustomerBrowser> => {
  const mails = await eventually(
    () => askSettings(service, `/mail?journeyId=${journeyId}`),
    ({ data }) => /\/app\/l\//.test(JSON.stringify(data)),
    30_000
  )
  const [link = ""] = /\/app\/l\/[\w-]{43}/.exec(JSON.stringify(mails.data)) ?? []
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(link)).location).toBe("/app/journey")
  return customer
}

const sendForm = async (
  customer: CustomerBrowser,
  path: string,
  files: Readonly<Record<string, Blob>>
): Promise<void> => {
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask(path)))
  for (const [name, file] of Object.entries(files)) form.append(name, file, name)
  await customer.send(path, form)
}
/** The service was killed, so the request gets no answer. */
const unheard = (sending: Promise<void>): Promise<void> => sending.catch(() => {})

const photo = () => new Blob([new Uint8Array(facePhoto())], { type: "image/jpeg" })
const document = () => new Blob([new Uint8Array(documentPhoto())], { type: "image/jpeg" })
/**
 * On a busy machine a look may not end in time. It then counts as no attempt, and the customer sends the photos again.
 */
const verify = async (customer: CustomerBrowser, journeyId: string): Promise<void> => {
  await customer.agree("identity")
  for (let sent = 0; sent < mostLooks; sent++) {
    await sendForm(customer, "/app/identity", { documentPhoto: document(), selfie: photo() })
    const [last] = await query<{ readonly verdict: string | null }>(
      "select verdict from identity_attempts where journey_id = $1 order by at desc, id desc limit 1",
      [journeyId]
    )
    if (last?.verdict !== "NOT_JUDGED") return
  }
}

/**
 * The test itself writes the event with this number, so the service waits when it wants to write it. The event has an id of now, so that
 * both stand in one month.
 */
const holdEvent = (held: HeldRows, journeyId: string, sequence: number) =>
  held.take(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     values ($1::uuid, $2::int4, $3::uuid, $4::uuid, true, 'held', '{}', now())`,
    [journeyId, sequence, nextId(), company.id]
  )

const logOf = async (journeyId: string) =>
  (
    await query<{ readonly type: string }>("select type from events where journey_id = $1 order by sequence", [
      journeyId
    ])
  ).map(({ type }) => type)

const mailsOf = async (journeyId: string) =>
  (
    await query<{ readonly kind: string }>("select kind from mails where journey_id = $1 order by kind", [journeyId])
  ).map(({ kind }) => kind)

it(
  "asks the customer again after a kill during an identity check, and verifies them once",
  { timeout: 900_000 },
  async () => {
    const begin = async () => String((await start(service, company.liveKey, bodyOf("IDENTITY_DELIVERY"))).data.id)
    const asked = ["journey.created", "identity.requested"]
    const attempts = async (journeyId: string) =>
      (
        await query<{ readonly verdict: string | null }>(
          "select verdict from identity_attempts where journey_id = $1 and verdict is distinct from 'NOT_JUDGED' order by at, id",
          [journeyId]
        )
      ).map(({ verdict }) => verdict)

    const [unrecorded, unfinished] = [await begin(), await begin()]
    const customers = [await customerOf(unrecorded), await customerOf(unfinished)] as const
    const held = await holdRows(databaseUrl)
    await holdEvent(held, unrecorded, asked.length + 1)
    const first = unheard(verify(customers[0], unrecorded))
    await held.awaited("update journeys")
    expect(await attempts(unrecorded)).toEqual(["SAME"])
    const second = unheard(verify(customers[1], unfinished))
    await eventually(
      () => attempts(unfinished),
      (made) => made.length === 1,
      lookedAtWithinMillis
    )
    await service.end("SIGKILL")
    await Promise.all([first, second])
    await held.letGo()
    expect(await logOf(unrecorded)).toEqual(asked)

    await launch()
    for (const [at, journeyId] of [unrecorded, unfinished].entries()) {
      const [customer] = customers.slice(at)
      if (customer !== undefined) await verify(customer, journeyId)
      const log = await eventually(
        () => logOf(journeyId),
        (events) => events.includes("delivery.awaiting_video"),
        lookedAtWithinMillis
      )
      expect(log).toEqual([...asked, "identity.verified", "delivery.created", "delivery.awaiting_video"])
      expect(await mailsOf(journeyId)).toEqual(["RECORD_VIDEO", "VERIFY_IDENTITY", "WELCOME"])
      // An attempt that was cut off still counts as one of the day's attempts.
      expect((await attempts(journeyId)).length).toBe(2)
    }
    expect(await inconsistencies(query)).toEqual([])
  }
)

/** How often the video's check was begun. */
const begun = async (journeyId: string) =>
  (await query("select from journal where journey_id = $1 and message ->> '_tag' = 'OwedBegun'", [journeyId])).length

const record = async (customer: CustomerBrowser) => {
  const film = await turningVideo(turnsIn(await customer.ask("/app/video")))
  await sendForm(customer, "/app/video", { video: new Blob([new Uint8Array(film)], { type: "video/mp4" }) })
}

it("checks a video again by itself after a kill, and completes the handover once", { timeout: 900_000 }, async () => {
  const begin = async () => String((await startWithPhoto(service, company.liveKey, bodyOf("FINANCE_SALE"))).data.id)
  const uploaded = ["journey.created", "delivery.created", "delivery.awaiting_video", "delivery.video_uploaded"]

  const [unrecorded, unfinished] = [await begin(), await begin()]
  const held = await holdRows(databaseUrl)
  await holdEvent(held, unrecorded, uploaded.length + 1)
  await record(await customerOf(unrecorded))
  await held.awaited("update journeys")
  const customer = await customerOf(unfinished)
  const sending = unheard(record(customer))
  await eventually(
    () => begun(unfinished),
    (count) => count > 0,
    lookedAtWithinMillis
  )
  await service.end("SIGKILL")
  await sending
  await held.letGo()
  for (const id of [unrecorded, unfinished]) expect(await logOf(id)).toEqual(uploaded)

  await skipTheWait(databaseUrl)
  await launch()
  for (const id of [unrecorded, unfinished]) {
    const log = await eventually(
      () => logOf(id),
      (events) => events.includes("journey.completed"),
      lookedAtWithinMillis
    )
    expect(log).toEqual([...uploaded, "delivery.completed", "journey.completed"])
    expect(await begun(id)).toBeGreaterThan(1)
    expect(await mailsOf(id)).toEqual(["HANDOVER_COMPLETE", "RECORD_VIDEO", "WELCOME"])
  }
})
