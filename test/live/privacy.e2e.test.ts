/**
 * What callers, customers and reviewers say about a person, and what is seen of them, is in the sealed columns, reaches
 * those it is for, and is nowhere else (INV-13 for live journeys): not in what the service writes or sends to its
 * collector, its webhook receivers and its Redis, not in a file while it works, and in no column in clear.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { startProcess, type ServiceProcess } from "../faults/ServiceProcess.ts"
import { Customer, tokenIn } from "../http/app/customer.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { jsonPart, photoPart, sendForm, startWithPhoto } from "../support/multipart.ts"
import { startOtlpReceiver, type OtlpReceiver } from "../support/otlpReceiver.ts"
import { facePhoto, withEveryMetadata } from "../support/photos.ts"
import type { Reply } from "../support/requests.ts"
import { startReceiver, type Receiver } from "../support/receivers.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../support/redisServer.ts"
import { freshDatabase } from "../support/service.ts"
import { makeVideos } from "../support/videos.ts"
import { Canaries, inTheOpen } from "./canaries.ts"
import { databaseDump, redisDump, watchFolder, watchRedis, type Watched } from "./Traces.ts"

const canaries = new Canaries()

/** Free text of callers and reviewers. The team reads it in the timeline (V22), and nobody reads it anywhere else. */
const notes = new Set<string>()
const note = (text: string): string => {
  notes.add(text)
  return canaries.plant(text)
}

/** Time for one step of a journey on a machine that is busy with other tests. */
const patience = 240_000

let folder: string
let databaseUrl: string
let redis: RedisServer
let commands: Awaited<ReturnType<typeof watchRedis>>
let files: Watched
let collector: OtlpReceiver
let receiver: Receiver
let mail: MailServer
let panel: FakePanel
let provider: FakeIdentityProvider
let service: ServiceProcess
/** The company whose customers the service checks itself. */
let here: TestCompany
/** The company whose customers a provider checks. */
let outside: TestCompany
let video: Buffer

interface Begun {
  readonly company: TestCompany
  readonly id: string
  readonly email: string
}

const file = (bytes: Uint8Array, type: string) => new Blob([new Uint8Array(bytes)], { type })

/** A face with a mark in every metadata a photo has. */
const markedPhoto = (name: string): Buffer => withEveryMetadata(facePhoto(), canaries.plant(name))

/** Players skip a box that they do not know. */
const markedVideo = (name: string): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + name.length)
  return Buffer.concat([video, size, Buffer.from("free"), Buffer.from(canaries.plant(name))])
}

/** A photo is refused while the machine is too busy to look at it, and is then sent again. */
const looked = (send: () => Promise<Reply>): Promise<Reply> =>
  eventually(send, ({ status }) => status !== 503, patience)

const begin = async (shape: Shape, company: TestCompany, place: "IN_STORE" | "HOME_DELIVERY"): Promise<Begun> => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a start body, marked
  const body = canaries.plantIn(startBody(shape)) as any
  body.delivery.type = place
  const photo = markedPhoto("CanaryOfTheCallersPhoto")
  const answer =
    shape === "FINANCE_SALE"
      ? await looked(() => startWithPhoto(service, company.liveKey, body, photo, "start-with-photo", true))
      : await start(service, company.liveKey, body)
  expect([shape, answer.status]).toEqual([shape, 202])
  return { company, id: String(answer.data.id), email: body.customer.email }
}

const stateOf = async ({ company, id }: Begun) => (await ask(service, company.liveKey, `/api/v1/journeys/${id}`)).data

const reaches = (begun: Begun, nextAction: string | null) =>
  eventually(
    () => stateOf(begun),
    (journey) => journey.nextAction === nextAction,
    patience
  )

const completes = async (begun: Begun) => {
  const journey = await eventually(
    () => stateOf(begun),
    ({ status }) => status !== "ACTIVE",
    patience
  )
  expect(journey.status).toBe("COMPLETED")
}

/**
 * Signs in with the link of a mail. Whoever has the link is the customer, so nobody else may see the link or the
 * session.
 */
const signedIn = async ({ email }: Begun, subject: RegExp): Promise<Customer> => {
  const [found] = await eventually(
    () => mail.received.filter(({ header, to }) => to.includes(email) && subject.test(header("Subject") ?? "")),
    (mails) => mails.length > 0,
    patience
  )
  const text = (found?.raw ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=")
  const [link = "", token = ""] = /\/app\/l\/([A-Za-z0-9_-]+)/.exec(text) ?? []
  canaries.plantSecret(token)
  const customer = new Customer(service)
  expect((await customer.signIn(link)).location).toBe("/app/journey")
  for (const cookie of customer.cookies.values()) canaries.plantSecret(cookie)
  return customer
}

const verifyHere = async (begun: Begun) => {
  const customer = await signedIn(begun, /identity|verify/i)
  const form = new FormData()
  const token = tokenIn(await customer.ask("/app/identity"))
  form.append("token", token)
  form.append("documentPhoto", file(markedPhoto("CanaryOfTheDocument"), "image/jpeg"), "CanaryDocument.jpg")
  form.append("selfie", file(markedPhoto("CanaryOfTheSelfie"), "image/jpeg"), "CanarySelfie.jpg")
  await eventually(
    async () => {
      await customer.send("/app/identity", form)
      return stateOf(begun)
    },
    ({ nextAction }) => nextAction !== "CUSTOMER_TO_VERIFY_IDENTITY",
    patience
  )
}

/** First with an address where nobody can live, which the page reports, then with the right one. */
const correctAddress = async (begun: Begun) => {
  const customer = await signedIn(begun, /where|deliver|address/i)
  const token = tokenIn(await customer.ask("/app/address"))
  const address = canaries.plantIn({
    organisationName: "",
    buildingName: "",
    buildingNumber: "",
    street: "",
    city: "",
    county: "",
    postcode: ""
  }) as Record<string, string>
  const wrong = { token, ...address, street: "", city: canaries.plant("CanaryNowhere").padEnd(200, "e") }
  expect((await customer.send("/app/address", wrong)).status).toBeGreaterThanOrEqual(400)
  address["buildingNumber"] = canaries.plant("Canary77b")
  const answer = await customer.send("/app/address", { token, ...address })
  expect([answer.status, answer.location]).toEqual([303, expect.stringContaining("/app/")])
}

const sendVideo = async (begun: Begun, name: string) => {
  const customer = await signedIn(begun, /video|record/i)
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask("/app/video")))
  form.append("video", file(markedVideo(name), "video/mp4"), "CanaryVideo.mp4")
  expect((await customer.send("/app/video", form)).status).toBe(303)
}

const decide = async ({ company, id }: Begun, decision: "APPROVE" | "REJECT", reason: string) => {
  const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
  const review = data.content.find((one: { readonly journeyId: string }) => one.journeyId === id)
  const path = `/companies/${company.id}/reviews/${review.id}/decision`
  const answer = await askSettings(service, path, { body: { decision, reason: note(reason) } })
  expect(answer.status).toBe(200)
}

const throughPanelAndChecksHere = async () => {
  const begun = await begin("FINANCE_SUBMIT_VIA_MIRA", here, "HOME_DELIVERY")
  await eventually(
    () => panel.taken.size,
    (size) => size === 1,
    patience
  )
  const [submission] = panel.taken.values()
  await reaches(begun, "CUSTOMER_TO_VERIFY_IDENTITY")
  await verifyHere(begun)
  await reaches(begun, "AWAITING_LENDER_DECISION")
  await panel.decide(service, submission?.submissionId ?? "", "APPROVED", "decision-1")
  await correctAddress(begun)
  await sendVideo(begun, "CanaryOfTheFirstVideo")
  await completes(begun)
}

const throughProviderAndReviews = async () => {
  const page = `http://127.0.0.1:9/${canaries.plant("CanaryOfTheProvidersPage")}`
  provider.answerWith(JSON.stringify({ url: page }))
  const begun = await begin("FINANCE_ALREADY_SUBMITTED", outside, "IN_STORE")
  const check = await eventually(
    () => [...provider.taken.values()].find(({ journeyId }) => journeyId === begun.id),
    (one) => one !== undefined,
    patience
  )
  const path = `/api/v1/journeys/${begun.id}/finance-decision`
  expect((await ask(service, outside.liveKey, path, { body: { decision: "APPROVED" } })).status).toBe(200)
  const customer = await signedIn(begun, /identity|verify/i)
  await eventually(
    () => customer.ask("/app/identity"),
    ({ text }) => text.includes(page),
    patience
  )
  await provider.report(service, check?.checkId ?? "", "UNDER_REVIEW", "result-1")
  await reaches(begun, "IDENTITY_UNDER_REVIEW")
  await decide(begun, "REJECT", "CanaryRejection: the document is Canary Smith's")
  await reaches(begun, "CUSTOMER_TO_VERIFY_IDENTITY")
  await provider.report(service, check?.checkId ?? "", "VERIFIED", "result-2")
  await sendVideo(begun, "CanaryOfTheSecondVideo")
  await reaches(begun, "DEALER_TO_REVIEW")
  await decide(begun, "APPROVE", "CanaryApproval: Canary Smith is in the video")
  await completes(begun)
}

const throughCallersPhoto = async () => {
  const begun = await begin("FINANCE_SALE", here, "IN_STORE")
  const before = new Set(canaries.names)
  const details = canaries.plantIn(startBody("FINANCE_SALE").customerFace)
  for (const name of canaries.names) if (!before.has(name)) notes.add(name)
  const parts = [jsonPart(details, "details"), photoPart(markedPhoto("CanaryOfTheNewPhoto"))]
  const path = `/api/v1/journeys/${begun.id}/customer-face`
  const form = { method: "PUT", path, parts, idempotencyKey: "replace-the-photo", impatient: true }
  const replaced = await looked(() => sendForm(service, here.liveKey, form))
  expect(replaced.status).toBe(200)
  await sendVideo(begun, "CanaryOfTheThirdVideo")
  await completes(begun)
}

/** Personal data leaks most easily through what is refused, cancelled or asked in the wrong place. */
const withoutEnd = async () => {
  const begun = await begin("CASH_SALE", here, "HOME_DELIVERY")
  await signedIn(begun, /identity|verify/i)
  const reason = note("CanaryCancellation: moved to Canary Street")
  const cancelled = await ask(service, here.liveKey, `/api/v1/journeys/${begun.id}/cancel`, { body: { reason } })
  expect(cancelled.status).toBe(200)
  const surplus = { ...(canaries.plantIn(startBody("CASH_SALE")) as object), more: canaries.plant("CanaryTooMuch") }
  expect((await start(service, here.liveKey, surplus)).status).toBe(400)
  expect((await start(service, here.liveKey, `{"customer": "${canaries.plant("CanaryBrokenJson")}`)).status).toBe(400)
  const query = `email=${encodeURIComponent(begun.email)}&name=${canaries.plant("CanaryInTheQuery")}`
  expect((await ask(service, here.liveKey, `/api/v1/journeys?${query}`)).status).toBe(400)
}

/** What a caller is told of its journeys, and what its team is told beside the things that it opens. */
const told = async (company: TestCompany) => {
  const { data } = await ask(service, company.liveKey, "/api/v1/journeys?size=100")
  const team = async (paths: ReadonlyArray<string>) => {
    const answers = await Promise.all(
      paths.map((path) => askSettings(service, `/companies/${company.id}/${path}?size=100`))
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    return JSON.stringify(answers)
  }
  const lists = ["reviews", "audit", "vehicles", "webhook-endpoints/live/deliveries"]
  const timelines = data.content.map(({ id }: { readonly id: string }) => `journeys/${id}/timeline`)
  return { lists: `${JSON.stringify(data)}\n${await team(lists)}`, timelines: await team(timelines) }
}

describeWithRedis("live journeys", () => {
  let answers: ReadonlyArray<Awaited<ReturnType<typeof told>>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "journeys-privacy-"))
    await mkdir(join(folder, "tmp"))
    files = watchFolder(folder)
    databaseUrl = await freshDatabase()
    redis = await startRedis()
    commands = await watchRedis(redis.url)
    collector = await startOtlpReceiver()
    receiver = await startReceiver()
    mail = await startMailServer()
    panel = await startFakePanel()
    provider = await startFakeIdentityProvider()
    video = (await makeVideos("indexAtEnd")).indexAtEnd
    canaries.plantBytes("a piece of the photo", facePhoto().subarray(9000, 9032))
    canaries.plantBytes("a piece of the video", video.subarray(9000, 9032))
    canaries.plantBytes("the beginning of any JPEG", Buffer.from("JFIF\0"))
    canaries.plantBytes("the beginning of any MP4", Buffer.from("ftypisom"))
    const port = await freePort()
    service = await startProcess(databaseUrl, port, {
      BASE_URL: `http://127.0.0.1:${port}`,
      TMPDIR: join(folder, "tmp"),
      DATA_DIR: join(folder, "data"),
      REDIS_URL: redis.url,
      RUNNER_ADDRESS: `127.0.0.1:${await freePort()}`,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: "Journeys <journeys@example.com>",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      WEBHOOK_ALLOW_INSECURE: "true",
      LOG_LEVEL: "trace"
    })
    const company = async (settings: Readonly<Record<string, unknown>>) => {
      const made = await makeCompany(service, { credits: 10, settings })
      const path = `/companies/${made.id}/webhook-endpoints/live`
      expect((await askSettings(service, path, { method: "PUT", body: { url: receiver.url } })).success).toBe(true)
      return made
    }
    here = await company({ identityProvider: { kind: "BUILT_IN" }, financePanel: panel.settings })
    outside = await company({ identityProvider: provider.settings, financePanel: panel.settings })

    await Promise.all([throughPanelAndChecksHere(), throughProviderAndReviews(), throughCallersPhoto(), withoutEnd()])

    answers = [await told(here), await told(outside)]
    const [events] = await queryDirectly<{ readonly count: number }>(databaseUrl, "select count(*)::int from events")
    await receiver.arrived(events?.count ?? 0, patience)
    // What is left to be sent leaves when the service stops.
    await service.end("SIGTERM")
    await files.stop()
  }, 900_000)
  afterAll(async () => {
    await service?.end("SIGKILL")
    commands?.stop()
    await Promise.all([collector, receiver, mail, panel, provider, redis].map((one) => one?.stop()))
    await rm(folder, { recursive: true, force: true })
  })

  it("take what is said to those it is for", () => {
    const application = canaries.foundIn(JSON.stringify([...panel.taken.values()]))
    expect(application.length).toBeGreaterThan(20)
    const letters = canaries.foundIn(mail.received.map(({ raw }) => raw).join("\n"))
    expect(letters.length).toBeGreaterThan(4)
    expect(canaries.names.length).toBeGreaterThan(100)
  })

  it("leave nothing personal, no link and no session in what the service writes and tells its collector", () => {
    expect(service.said()).toMatch(/"level":"(?:debug|trace)"|DEBUG|TRACE/i)
    expect(canaries.foundIn(service.said())).toEqual([])
    expect([collector.spans.length > 100, collector.logs.length > 0, collector.metrics.size > 5]).toEqual([
      true,
      true,
      true
    ])
    expect(canaries.foundIn(collector.bodies.join("\n"))).toEqual([])
  })

  it("send nothing personal to webhooks, and show none to callers and teams but for notes in the timeline", () => {
    expect(receiver.received.length).toBeGreaterThan(20)
    const sent = receiver.received.map(({ body, headers }) => `${JSON.stringify(headers)}\n${body.toString()}`)
    expect(canaries.foundIn(sent.join("\n"))).toEqual([])
    for (const { lists, timelines } of answers) {
      expect(canaries.foundIn(lists)).toEqual([])
      expect(canaries.foundIn(timelines).filter((one) => !notes.has(one))).toEqual([])
    }
  })

  it("leave nothing personal in Redis, at no time", async () => {
    const dump = await redisDump(redis.url)
    expect(commands.commands.length).toBeGreaterThan(100)
    expect(dump.size).toBeGreaterThan(0)
    expect(canaries.foundIn(commands.commands.join("\n"))).toEqual([])
    expect(canaries.foundIn(Buffer.concat([...dump].flatMap(([key, value]) => [Buffer.from(key), value])))).toEqual([])
  })

  it("leave nothing personal in a file, at no time", () => {
    expect(files.looks()).toBeGreaterThan(20)
    const found = [...files.files].flatMap(([name, content]) =>
      canaries.foundIn(Buffer.concat([Buffer.from(`${name}\n`), content])).map((canary) => [name, canary])
    )
    expect(found).toEqual([])
  })

  it("keep everything personal sealed: no table shows any of it, as text or in its bytes", async () => {
    const dump = await databaseDump(databaseUrl)
    for (const table of [
      "customer_photos",
      "identity_attempts",
      "video_chunks",
      "delivery_addresses",
      "identity_checks"
    ]) {
      expect([table, (dump.get(`public.${table}`)?.length ?? 0) > 100]).toEqual([table, true])
    }
    const found = [...dump].flatMap(([table, content]) => canaries.foundIn(content).map((canary) => [table, canary]))
    expect(found).toEqual([])
  })

  it("keep in the open what the decisions want there, and nothing else of what a start says", async () => {
    const dump = await databaseDump(databaseUrl)
    const shown = canaries.openIn(Buffer.concat([...dump.values()]).toString("latin1"))
    expect([...new Set(shown)].toSorted()).toEqual(Object.keys(inTheOpen).toSorted())
  })
})
