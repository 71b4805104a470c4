/**
 * What callers, customers and reviewers say about a person, and what is seen of them, is in the sealed columns, reaches
 * those it is for, and is nowhere else (INV-13 for live journeys): not in what the service writes or sends to its
 * collector, its webhook receivers and its Redis, not in a file while it works, and in no column in clear.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startProcess, type ServiceProcess } from "../faults/ServiceProcess.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { startOtlpReceiver, type OtlpReceiver } from "../support/otlpReceiver.ts"
import { facePhoto } from "../support/photos.ts"
import { startReceiver, type Receiver } from "../support/receivers.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../support/redisServer.ts"
import { freshDatabase } from "../support/service.ts"
import { Canaries, inTheOpen } from "./canaries.ts"
import {
  stepMillis,
  throughCallersPhoto,
  throughPanelAndChecksHere,
  throughProviderAndReviews,
  withoutEnd
} from "./markedJourneys.ts"
import { databaseDump, redisDump, watchFolder, watchRedis, type Watched } from "./Traces.ts"

const canaries = new Canaries()

const notes = new Set<string>()

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

/** What a caller is told of its journeys, and what its team is told beside the things that it opens. */
const shownTo = async (company: TestCompany) => {
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
  let answers: ReadonlyArray<Awaited<ReturnType<typeof shownTo>>>

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
    canaries.plantBytes("a piece of the photo", facePhoto().subarray(9000, 9032))
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

    const ground = { canaries, notes, service, mail, panel, provider, here, outside }
    await Promise.all([
      throughPanelAndChecksHere(ground),
      throughProviderAndReviews(ground),
      throughCallersPhoto(ground),
      withoutEnd(ground)
    ])

    answers = [await shownTo(here), await shownTo(outside)]
    const [events] = await queryDirectly<{ readonly count: number }>(databaseUrl, "select count(*)::int from events")
    await receiver.arrived(events?.count ?? 0, stepMillis)
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

  it("bring what is said about a person to those who need it", () => {
    const application = canaries.foundIn(JSON.stringify([...panel.taken.values()]))
    expect(application.length).toBeGreaterThan(20)
    const mails = canaries.foundIn(mail.received.map(({ raw }) => raw).join("\n"))
    expect(mails.length).toBeGreaterThan(4)
    expect(canaries.names.length).toBeGreaterThan(100)
  })

  it("leave nothing personal, no link and no session in the output of the service and at its collector", () => {
    expect(service.said()).toMatch(/"level":"(?:debug|trace)"|DEBUG|TRACE/i)
    expect(canaries.foundIn(service.said())).toEqual([])
    expect([collector.spans.length > 100, collector.logs.length > 0, collector.metrics.size > 5]).toEqual([
      true,
      true,
      true
    ])
    expect(canaries.foundIn(collector.bodies.join("\n"))).toEqual([])
  })

  it("send nothing personal to webhooks, and show callers and teams nothing personal except notes in the timeline", () => {
    expect(receiver.received.length).toBeGreaterThan(20)
    const sent = receiver.received.map(({ body, headers }) => `${JSON.stringify(headers)}\n${body.toString()}`)
    expect(canaries.foundIn(sent.join("\n"))).toEqual([])
    for (const { lists, timelines } of answers) {
      expect(canaries.foundIn(lists)).toEqual([])
      expect(canaries.foundIn(timelines).filter((one) => !notes.has(one))).toEqual([])
    }
  })

  it("never leave anything personal in Redis", async () => {
    const dump = await redisDump(redis.url)
    expect(commands.commands.length).toBeGreaterThan(100)
    expect(dump.size).toBeGreaterThan(0)
    expect(canaries.foundIn(commands.commands.join("\n"))).toEqual([])
    expect(canaries.foundIn(Buffer.concat([...dump].flatMap(([key, value]) => [Buffer.from(key), value])))).toEqual([])
  })

  it("never leave anything personal in a file", () => {
    expect(files.looks()).toBeGreaterThan(20)
    const found = [...files.files].flatMap(([name, content]) =>
      canaries.foundIn(Buffer.concat([Buffer.from(`${name}\n`), content])).map((canary) => [name, canary])
    )
    expect(found).toEqual([])
  })

  it("keep everything personal sealed: no table shows it as text or in its bytes", async () => {
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

  it("keep only those members of a start in the open that the decisions name", async () => {
    const dump = await databaseDump(databaseUrl)
    const shown = canaries.openIn(Buffer.concat([...dump.values()]).toString("latin1"))
    expect([...new Set(shown)].toSorted()).toEqual(Object.keys(inTheOpen).toSorted())
  })
})
