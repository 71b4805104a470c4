/**
 * Four live journeys whose every personal text and photo carries a mark, for the tests of privacy: through the panel and the
 * checks made here, through a provider and the team's reviews, with the caller's photo, and one that is cancelled.
 */
import { expect } from "vitest"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import type { ServiceProcess } from "../faults/ServiceProcess.ts"
import { CustomerBrowser, tokenIn, turnsIn } from "../http/app/CustomerBrowser.ts"
import { ask, askSettings, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import type { FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import type { FakePanel } from "../support/fakePanel.ts"
import type { MailServer } from "../support/mailServer.ts"
import { jsonPart, photoPart, sendForm, startWithPhoto } from "../support/multipart.ts"
import { documentPhoto, facePhoto, withEveryMetadata } from "../support/photos.ts"
import type { Reply } from "../support/requests.ts"
import { turningVideo } from "../support/videos.ts"
import type { Canaries } from "./canaries.ts"

/** Time for one step of a journey on a machine that is busy with other tests. */
export const stepMillis = 240_000

export interface PrivacyGround {
  readonly canaries: Canaries
  /** Free text of callers and reviewers. The team reads it in the timeline (V22), and nobody reads it anywhere else. */
  readonly notes: Set<string>
  readonly service: ServiceProcess
  readonly mail: MailServer
  readonly panel: FakePanel
  readonly provider: FakeIdentityProvider
  /** The company whose customers the service checks itself. */
  readonly here: TestCompany
  /** The company whose customers a provider checks. */
  readonly outside: TestCompany
}

const note = (ground: PrivacyGround, text: string): string => {
  ground.notes.add(text)
  return ground.canaries.plant(text)
}

interface Begun {
  readonly company: TestCompany
  readonly id: string
  readonly email: string
}

const file = (bytes: Uint8Array, type: string) => new Blob([new Uint8Array(bytes)], { type })

/** A face with a mark in every metadata a photo has. */
const markedPhoto = (ground: PrivacyGround, name: string): Buffer =>
  withEveryMetadata(facePhoto(), ground.canaries.plant(name))

const markedDocument = (ground: PrivacyGround, name: string): Buffer =>
  withEveryMetadata(documentPhoto(), ground.canaries.plant(name))

/** Players skip a box that they do not know. */
const markedVideo = (ground: PrivacyGround, video: Buffer, name: string): Buffer => {
  ground.canaries.plantBytes(`a piece of ${name}`, video.subarray(9000, 9032))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + name.length)
  return Buffer.concat([video, size, Buffer.from("free"), Buffer.from(ground.canaries.plant(name))])
}

/** A photo is refused while the machine is too busy to look at it, and is then sent again. */
const looked = (send: () => Promise<Reply>): Promise<Reply> =>
  eventually(send, ({ status }) => status !== 503, stepMillis)

const begin = async (
  ground: PrivacyGround,
  shape: Shape,
  company: TestCompany,
  place: "IN_STORE" | "HOME_DELIVERY"
): Promise<Begun> => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a start body, marked
  const body = ground.canaries.plantIn(startBody(shape)) as any
  body.delivery.type = place
  const photo = markedPhoto(ground, "CanaryOfTheCallersPhoto")
  const answer =
    shape === "FINANCE_SALE"
      ? await looked(() => startWithPhoto(ground.service, company.liveKey, body, photo, "start-with-photo", true))
      : await start(ground.service, company.liveKey, body)
  expect([shape, answer.status]).toEqual([shape, 202])
  return { company, id: String(answer.data.id), email: body.customer.email }
}

const stateOf = async (ground: PrivacyGround, { company, id }: Begun) =>
  (await ask(ground.service, company.liveKey, `/api/v1/journeys/${id}`)).data

const reaches = (ground: PrivacyGround, begun: Begun, nextAction: string | null) =>
  eventually(
    () => stateOf(ground, begun),
    (journey) => journey.nextAction === nextAction,
    stepMillis
  )

const completes = async (ground: PrivacyGround, begun: Begun) => {
  const journey = await eventually(
    () => stateOf(ground, begun),
    ({ status }) => status !== "ACTIVE",
    stepMillis
  )
  expect(journey.status).toBe("COMPLETED")
}

/**
 * Signs in with the link of a mail. Whoever has the link is the customer, so nobody else may see the link or the
 * session.
 */
const signedIn = async (ground: PrivacyGround, { email }: Begun, subject: RegExp): Promise<CustomerBrowser> => {
  const [found] = await eventually(
    () => ground.mail.received.filter(({ header, to }) => to.includes(email) && subject.test(header("Subject") ?? "")),
    (mails) => mails.length > 0,
    stepMillis
  )
  const text = (found?.raw ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=")
  const [link = "", token = ""] = /\/app\/l\/([A-Za-z0-9_-]+)/.exec(text) ?? []
  ground.canaries.plantSecret(token)
  const customer = new CustomerBrowser(ground.service)
  expect((await customer.signIn(link)).location).toBe("/app/journey")
  for (const cookie of customer.cookies.values()) ground.canaries.plantSecret(cookie)
  return customer
}

const verifyHere = async (ground: PrivacyGround, begun: Begun) => {
  const customer = await signedIn(ground, begun, /identity|verify/i)
  await customer.agree("identity")
  const form = new FormData()
  const token = tokenIn(await customer.ask("/app/identity"))
  form.append("token", token)
  form.append("documentPhoto", file(markedDocument(ground, "CanaryOfTheDocument"), "image/jpeg"), "CanaryDocument.jpg")
  form.append("selfie", file(markedPhoto(ground, "CanaryOfTheSelfie"), "image/jpeg"), "CanarySelfie.jpg")
  await eventually(
    async () => {
      await customer.send("/app/identity", form)
      return stateOf(ground, begun)
    },
    ({ nextAction }) => nextAction !== "CUSTOMER_TO_VERIFY_IDENTITY",
    stepMillis
  )
}

/** First with an address where nobody can live, which the page reports, then with the right one. */
const correctAddress = async (ground: PrivacyGround, begun: Begun) => {
  const customer = await signedIn(ground, begun, /where|deliver|address/i)
  const token = tokenIn(await customer.ask("/app/address"))
  const address = ground.canaries.plantIn({
    organisationName: "",
    buildingName: "",
    buildingNumber: "",
    street: "",
    city: "",
    county: "",
    postcode: ""
  }) as Record<string, string>
  const wrong = { token, ...address, street: "", city: ground.canaries.plant("CanaryNowhere").padEnd(200, "e") }
  expect((await customer.send("/app/address", wrong)).status).toBeGreaterThanOrEqual(400)
  address["buildingNumber"] = ground.canaries.plant("Canary77b")
  // The marked postcode is none of this country's: the customer means it all the same.
  const asked = await customer.send("/app/address", { token, ...address })
  expect(asked.status).toBe(422)
  const answer = await customer.send("/app/address", { token, ...address, meant: "UNUSUAL_POSTCODE" })
  expect([answer.status, answer.location]).toEqual([303, expect.stringContaining("/app/")])
}

const sendVideo = async (ground: PrivacyGround, begun: Begun, name: string) => {
  const customer = await signedIn(ground, begun, /video|record/i)
  await customer.agree("video")
  const form = new FormData()
  const page = await customer.ask("/app/video")
  form.append("token", tokenIn(page))
  const film = await turningVideo(turnsIn(page))
  form.append("video", file(markedVideo(ground, film, name), "video/mp4"), "CanaryVideo.mp4")
  expect((await customer.send("/app/video", form)).status).toBe(303)
}

const decide = async (
  ground: PrivacyGround,
  { company, id }: Begun,
  decision: "APPROVE" | "REJECT",
  reason: string
) => {
  const { data } = await askSettings(ground.service, `/companies/${company.id}/reviews`)
  const review = data.content.find((one: { readonly journeyId: string }) => one.journeyId === id)
  const path = `/companies/${company.id}/reviews/${review.id}/decision`
  const answer = await askSettings(ground.service, path, { body: { decision, reason: note(ground, reason) } })
  expect(answer.status).toBe(200)
}

export const throughPanelAndChecksHere = async (ground: PrivacyGround) => {
  const begun = await begin(ground, "FINANCE_SUBMIT_VIA_MIRA", ground.here, "HOME_DELIVERY")
  await eventually(
    () => ground.panel.taken.size,
    (size) => size === 1,
    stepMillis
  )
  const [submission] = ground.panel.taken.values()
  await reaches(ground, begun, "CUSTOMER_TO_VERIFY_IDENTITY")
  await verifyHere(ground, begun)
  await reaches(ground, begun, "AWAITING_LENDER_DECISION")
  await ground.panel.decide(ground.service, submission?.submissionId ?? "", "APPROVED", "decision-1")
  await correctAddress(ground, begun)
  await sendVideo(ground, begun, "CanaryOfTheFirstVideo")
  await completes(ground, begun)
}

export const throughProviderAndReviews = async (ground: PrivacyGround) => {
  const page = `http://127.0.0.1:9/${ground.canaries.plant("CanaryOfTheProvidersPage")}`
  ground.provider.answerWith(JSON.stringify({ url: page }))
  const begun = await begin(ground, "FINANCE_ALREADY_SUBMITTED", ground.outside, "IN_STORE")
  const check = await eventually(
    () => [...ground.provider.taken.values()].find(({ journeyId }) => journeyId === begun.id),
    (one) => one !== undefined,
    stepMillis
  )
  const path = `/api/v1/journeys/${begun.id}/finance-decision`
  expect((await ask(ground.service, ground.outside.liveKey, path, { body: { decision: "APPROVED" } })).status).toBe(200)
  const customer = await signedIn(ground, begun, /identity|verify/i)
  await eventually(
    () => customer.ask("/app/identity"),
    ({ text }) => text.includes(page),
    stepMillis
  )
  await ground.provider.report(ground.service, check?.checkId ?? "", "UNDER_REVIEW", "result-1")
  await reaches(ground, begun, "IDENTITY_UNDER_REVIEW")
  await decide(ground, begun, "REJECT", "CanaryRejection: the document is Canary Smith's")
  await reaches(ground, begun, "CUSTOMER_TO_VERIFY_IDENTITY")
  await ground.provider.report(ground.service, check?.checkId ?? "", "VERIFIED", "result-2")
  await sendVideo(ground, begun, "CanaryOfTheSecondVideo")
  await reaches(ground, begun, "DEALER_TO_REVIEW")
  await decide(ground, begun, "APPROVE", "CanaryApproval: Canary Smith is in the video")
  await completes(ground, begun)
}

export const throughCallersPhoto = async (ground: PrivacyGround) => {
  const begun = await begin(ground, "FINANCE_SALE", ground.here, "IN_STORE")
  const before = new Set(ground.canaries.names)
  const details = ground.canaries.plantIn(startBody("FINANCE_SALE").customerFace)
  for (const name of ground.canaries.names) if (!before.has(name)) ground.notes.add(name)
  const parts = [jsonPart(details, "details"), photoPart(markedPhoto(ground, "CanaryOfTheNewPhoto"))]
  const path = `/api/v1/journeys/${begun.id}/customer-face`
  const form = { method: "PUT", path, parts, idempotencyKey: "replace-the-photo", impatient: true }
  const replaced = await looked(() => sendForm(ground.service, ground.here.liveKey, form))
  expect(replaced.status).toBe(200)
  await sendVideo(ground, begun, "CanaryOfTheThirdVideo")
  await completes(ground, begun)
}

/** Personal data leaks most easily through what is refused, cancelled or asked in the wrong place. */
export const withoutEnd = async (ground: PrivacyGround) => {
  const begun = await begin(ground, "CASH_SALE", ground.here, "HOME_DELIVERY")
  await signedIn(ground, begun, /identity|verify/i)
  const reason = note(ground, "CanaryCancellation: moved to Canary Street")
  const cancelled = await ask(ground.service, ground.here.liveKey, `/api/v1/journeys/${begun.id}/cancel`, {
    body: { reason }
  })
  expect(cancelled.status).toBe(200)
  const surplus = {
    ...(ground.canaries.plantIn(startBody("CASH_SALE")) as object),
    more: ground.canaries.plant("CanaryTooMuch")
  }
  expect((await start(ground.service, ground.here.liveKey, surplus)).status).toBe(400)
  expect(
    (await start(ground.service, ground.here.liveKey, `{"customer": "${ground.canaries.plant("CanaryBrokenJson")}`))
      .status
  ).toBe(400)
  const query = `email=${encodeURIComponent(begun.email)}&name=${ground.canaries.plant("CanaryInTheQuery")}`
  expect((await ask(ground.service, ground.here.liveKey, `/api/v1/journeys?${query}`)).status).toBe(400)
}
