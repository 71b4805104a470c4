import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Stripe } from "stripe"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { commandsScript, run, startProgram, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { freePort } from "../../support/freePort.ts"
import { startService, type Service } from "../../support/service.ts"
import { eventOf, startReceiver, type Received, type Receiver } from "../../support/receivers.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

const settings = { SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" }

let service: Service
let company: TestCompany
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let started: Array<MainProcess>
let receivers: Array<Receiver>
beforeEach(async () => {
  service = await startService(settings)
  company = await makeCompany(service)
  folder = await temporaryFolder()
  started = []
  receivers = []
})
afterEach(async () => {
  await Promise.all(started.map((one) => one.stop("SIGKILL")))
  await Promise.all(receivers.map((one) => one.stop()))
  await service.stop()
  await folder.remove()
})

/** `status` of the answer to the request with this number, from 1; null for none at all. */
const receiver = async (status: (count: number) => number | null = () => 204, port?: number): Promise<Receiver> => {
  const one = await startReceiver((_, response) => {
    const answer = status(one.received.length)
    if (answer !== null) response.writeHead(answer).end()
  }, port)
  receivers.push(one)
  return one
}

const environment = () => ({ BASE_URL: service.baseUrl })

/** Starts it and waits until it listens. */
const listen = async (to: { readonly url: string }, ...more: ReadonlyArray<string>): Promise<MainProcess> => {
  const key = more.includes("--key") ? [] : ["--key", company.testKey]
  const parameters = ["listen", "--forward-to", `${to.url}?from=us`, ...key, ...more]
  const listening = startProgram(commandsScript, parameters, { cwd: folder.path, environment: environment() })
  started.push(listening)
  await listening.printed(/Ctrl-C stops|LISTENING/)
  return listening
}

const secretIn = (listening: MainProcess): string => /whsec_\S+/.exec(listening.stdout())?.[0] ?? ""

/** A journey from its start to its end: eight events or so. */
const wholeJourney = async (key = company.testKey): Promise<void> => {
  const { data } = await start(service, key, startBody("IDENTITY_DELIVERY"))
  const event = "delivery.completed"
  expect((await ask(service, key, `/api/v1/journeys/${data.id}/simulate`, { body: { event } })).status).toBe(200)
}

const stored = () =>
  service.query<{ readonly id: string; readonly body: string; readonly sequence: number }>(
    "select id, body, sequence from events where company_id = $1 and not livemode order by tx, id",
    [company.id]
  )

const idsOf = (received: ReadonlyArray<Received>): ReadonlyArray<string> => received.map((one) => eventOf(one).id)

/** Ids as they came first, and that what came again came right after. */
const once = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.filter((id, at) => id !== ids[at - 1])

const hasAll = async (to: Receiver): Promise<ReadonlyArray<string>> => {
  const ids = (await stored()).map(({ id }) => id)
  const last = ids.at(-1) ?? ""
  await eventually(
    () => idsOf(to.received),
    (received) => received.includes(last),
    30_000
  )
  return ids
}

const lines = (listening: MainProcess): ReadonlyArray<string> =>
  listening
    .stdout()
    .split("\n")
    .filter((line) => /^\d{4}-/.test(line))

const stateFiles = async () => {
  const states = join(folder.path, ".journeys/listen")
  return (await readdir(states)).map((name) => join(states, name))
}

describe("listen", () => {
  it("brings every event as a webhook would, in order, and says so a line each", async () => {
    const names = new Map<string, ReadonlyArray<string>>()
    const to = await startReceiver((one, response, raw) => {
      names.set(
        eventOf(one).id,
        raw.rawHeaders.filter((_, at) => at % 2 === 0)
      )
      response.writeHead(204).end()
    })
    receivers.push(to)
    const before = await makeCompany(service)
    await wholeJourney(before.testKey)
    await start(service, company.testKey, startBody("CASH_SALE"))
    const listening = await listen(to)
    const earlier = (await stored()).map(({ id }) => id)
    await wholeJourney()
    await start(service, company.testKey, { ...startBody("CASH_SALE"), externalReference: 'ä "🚗" </\\  1e3' })
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids.slice(earlier.length))

    const rows = new Map((await stored()).map((row) => [row.id, row]))
    const secret = secretIn(listening)
    for (const one of to.received) {
      const { body, headers } = one
      const event = eventOf(one)
      const row = rows.get(event.id)
      expect(body.toString()).toBe(row?.body)
      expect(names.get(event.id)?.toSorted()).toEqual([
        "Content-Type",
        "Service-Event-Id",
        "Service-Event-Sequence",
        "Service-Event-Type",
        "Service-Signature",
        "Service-Timestamp",
        "User-Agent",
        "connection",
        "content-length",
        "host"
      ])
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Journeys-Webhooks/1.0",
        "service-event-id": event.id,
        "service-event-type": event.type,
        "service-event-sequence": String(row?.sequence)
      })
      expect(verifyWebhook({ body, headers, secret })).toEqual(event)
      expect(Stripe.webhooks.constructEvent(body, String(headers["service-signature"]), secret)).toEqual(event)
      const t = /t=(\d+)/.exec(String(headers["service-signature"]))?.[1]
      expect(headers["service-timestamp"]).toBe(t)
    }
    const printed = await eventually(
      () => lines(listening),
      (some) => some.length === to.received.length
    )
    for (const [at, line] of printed.entries()) {
      const event = eventOf(to.received[at] ?? expect.fail("no event"))
      expect(line).toMatch(new RegExp(`^\\S+Z +${event.type} +${event.data["journeyId"]} +204 +\\d+$`))
    }
    expect(new Set(printed.map((line) => line.indexOf(" 204 "))).size).toBe(1)
  })

  it("ends with exit code 0 when it is stopped, and goes on from there with the same secret", async () => {
    const to = await receiver()
    const first = await listen(to)
    await wholeJourney()
    await hasAll(to)
    const file = (await stateFiles())[0] ?? ""
    const place = await eventually(
      () => readFile(file, "utf8"),
      (text) => text.includes(`"forwarded": null`)
    )
    expect(await first.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" })
    expect(await readFile(file, "utf8")).toBe(place)
    expect([(await stat(file)).mode & 0o777, (await stat(join(file, ".."))).mode & 0o777]).toEqual([0o600, 0o700])
    expect(`${file}${place}`).not.toContain(company.testKey)

    await wholeJourney()
    const second = await listen(to)
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    expect(secretIn(second)).toBe(secretIn(first))
    expect(second.stdout()).toContain("It goes on where it stopped.")
    expect((await second.stop("SIGTERM")).code).toBe(0)
  })

  it("loses nothing and keeps the order when it is killed, whether or not the event on its way was answered", async () => {
    let listening: MainProcess | undefined
    const doomed = new Set([3, 4, 9, 20])
    const to = await receiver((count) => {
      if (!doomed.has(count)) return 200
      void listening?.stop("SIGKILL")
      return count % 2 === 0 ? 200 : null
    })
    listening = await listen(to)
    for (let at = 0; at < 4; at++) await wholeJourney()
    for (const _ of doomed) {
      await listening.ended
      listening = await listen(to)
    }
    const ids = await hasAll(to)
    expect(ids.length).toBeGreaterThan(25)
    expect(once(idsOf(to.received))).toEqual(ids)
    expect(to.received.length - ids.length).toBeLessThanOrEqual(doomed.size)
    // What was not answered has come again.
    const answered = to.received.filter((_, at) => !doomed.has(at + 1) || (at + 1) % 2 === 0)
    expect(once(idsOf(answered))).toEqual(ids)
    for (const { body, headers } of to.received) verifyWebhook({ body, headers, secret: secretIn(listening) })
  })

  it("tries an event again until it is answered 2xx, says so once, and lets none past it", async () => {
    const refusing = new Map([
      [2, 500],
      [3, 302],
      [5, 404]
    ])
    const to = await receiver((count) => refusing.get(count) ?? 200)
    const listening = await listen(to)
    await wholeJourney()
    const ids = await hasAll(to)
    expect(once(idsOf(to.received))).toEqual(ids)
    expect(to.received.length).toBe(ids.length + refusing.size)
    const signatures = to.received.slice(1, 4).map(({ headers }) => headers["service-signature"])
    expect(new Set(signatures).size).toBe(3)
    const { stderr } = await listening.stop("SIGINT")
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^journeys: http:\S+ answers 500; \S+ \S+ is sent again until it is answered 2xx$/),
      expect.stringMatching(/ answers 404; /)
    ])
    expect(lines(listening).length).toBe(ids.length)
  })

  it("waits for a local server that is not there yet", async () => {
    const port = await freePort()
    const listening = await listen({ url: `http://localhost:${port}` })
    await wholeJourney()
    await eventually(listening.stderr, (text) => text.includes("cannot be reached: CONNECTION_REFUSED"))
    const to = await receiver(undefined, port)
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    const { code, stderr } = await listening.stop("SIGINT")
    expect([code, stderr.trim().split("\n").length]).toEqual([0, 1])
  })

  it("waits for a service that is away, and goes on where it was", async () => {
    const port = String(await freePort())
    const databaseUrl = service.databaseUrl
    await service.stop()
    service = await startService({ ...settings, DATABASE_URL: databaseUrl, PORT: port })
    const to = await receiver()
    const listening = await listen(to)
    await wholeJourney()
    await hasAll(to)
    await service.stop()
    await eventually(listening.stderr, (text) => text.includes("asking again"))
    service = await startService({ ...settings, DATABASE_URL: databaseUrl, PORT: port })
    await wholeJourney()
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    const { code, stderr } = await listening.stop("SIGINT")
    expect([code, stderr.trim().split("\n")]).toEqual([
      0,
      [
        `journeys: the service at http://127.0.0.1:${port} does not answer; asking again until it does`,
        `journeys: the service at http://127.0.0.1:${port} answers again`
      ]
    ])
  })

  it("ends when its key does, and says so", async () => {
    const path = `/companies/${company.id}/api-keys/${company.testKeyId}`
    const listening = await listen(await receiver())
    await askSettings(service, path, { method: "DELETE" })
    expect(await listening.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^journeys: the key cannot be used \(INVALID_API_KEY\): .*\n$/)
    })
  })

  it("begins with the first event, signs with a given secret, and speaks JSON, when it is told to", async () => {
    const to = await receiver()
    await wholeJourney()
    await listen(to).then((first) => first.stop("SIGINT"))
    const state = ["--state", join(folder.path, "place.json")]
    const secret = "whsec_given"
    const listening = await listen(to, "--from-start", "--secret", secret, "--json", ...state)
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    for (const { body, headers } of to.received) verifyWebhook({ body, headers, secret })
    const said = await eventually(
      () => listening.stdout().trim().split("\n"),
      (some) => some.length === ids.length + 1
    )
    expect(said.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ kind: "LISTENING", secret, from: "START", stateFile: state[1] }),
      ...to.received.map((one) => ({
        kind: "FORWARDED",
        at: expect.stringMatching(/Z$/),
        id: eventOf(one).id,
        type: eventOf(one).type,
        journeyId: eventOf(one).data["journeyId"],
        sequence: Number(one.headers["service-event-sequence"]),
        status: 204,
        durationMillis: expect.any(Number)
      }))
    ])
    await listening.stop("SIGINT")
    await listen(to, "--from-start", ...state)
    await eventually(
      () => to.received.length,
      (count) => count === 2 * ids.length
    )
    expect(idsOf(to.received)).toEqual([...ids, ...ids])
    for (const { body, headers } of to.received) verifyWebhook({ body, headers, secret })
  })

  it("takes the demo dealer's key from DATA_DIR", async () => {
    const to = await receiver()
    await mkdir(join(folder.path, ".journeys"))
    const demo = { id: company.id, name: "Demo Dealer", kind: "DEALER", testKey: company.testKey, liveKey: "x" }
    await writeFile(join(folder.path, ".journeys/demo.json"), JSON.stringify({ companies: [demo] }))
    const parameters = ["listen", "--forward-to", to.url]
    const listening = startProgram(commandsScript, parameters, { cwd: folder.path, environment: environment() })
    started.push(listening)
    await listening.printed(/Ctrl-C stops/)
    await wholeJourney()
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
  })

  it("refuses what it cannot work with, before anything is written", async () => {
    const refusals: ReadonlyArray<[ReadonlyArray<string>, RegExp]> = [
      [["--forward-to", "http://localhost:1"], /^journeys: give a test key with --key: there are no demo keys in /],
      [["--forward-to", "localhost:1", "--key", company.testKey], /^journeys: --forward-to must be/],
      [["--forward-to", "http://u:p@localhost:1", "--key", company.testKey], /^journeys: --forward-to must be/],
      [["--forward-to", "http://localhost:1", "--key", company.liveKey], /^journeys: --key is a live key/],
      [["--forward-to", "http://localhost:1", "--key", "svc_test_x"], /^journeys: --key is not an API key/],
      [["--forward-to", "http://localhost:1", "--key", company.testKey, "--secret", "x y"], /^journeys: --secret must/]
    ]
    for (const [parameters, said] of refusals) {
      const ended = await run(process.execPath, [commandsScript, "listen", ...parameters], {
        cwd: folder.path,
        environment: environment()
      })
      expect([ended.code, ended.stdout]).toEqual([1, ""])
      expect(ended.stderr).toMatch(said)
      expect(ended.stderr).not.toContain(company.liveKey)
    }
    expect(await readdir(folder.path)).toEqual([])
    const file = join(folder.path, "place.json")
    const state = {
      of: createHash("sha256").update("another").digest("hex"),
      secret: "whsec_x",
      after: null,
      forwarded: null
    }
    for (const text of [JSON.stringify(state), "{}", "not JSON"]) {
      await writeFile(file, text)
      const parameters = ["listen", "--forward-to", "http://localhost:1", "--key", company.testKey, "--state", file]
      const ended = await run(process.execPath, [commandsScript, ...parameters], {
        cwd: folder.path,
        environment: environment()
      })
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("name another one with --state")])
      expect(await readFile(file, "utf8")).toBe(text)
    }
  })
})
