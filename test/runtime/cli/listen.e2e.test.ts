import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Stripe } from "stripe"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { type MainProcess } from "../../support/processes.ts"
import { freePort } from "../../support/freePort.ts"
import { eventOf, startReceiver } from "../../support/receivers.ts"
import {
  closeGround,
  service,
  company,
  receiver,
  receivers,
  startAgain,
  bothPrograms,
  listen,
  listenWith,
  secretIn,
  wholeJourney,
  stored,
  idsOf,
  once,
  hasAll,
  lines,
  stateFiles,
  openGround
} from "./listenGround.ts"

// Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
vi.setConfig({ testTimeout: 300_000 })

beforeEach(openGround)
afterEach(closeGround)

describe.each(bothPrograms)("listen, as the program of the %s,", (_, program) => {
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
    const listening = await listenWith(program, to)
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
        "Connection",
        "Content-Length",
        "Content-Type",
        "Host",
        "Service-Event-Id",
        "Service-Event-Sequence",
        "Service-Event-Type",
        "Service-Signature",
        "Service-Timestamp",
        "User-Agent"
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
    const first = await listenWith(program, to)
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
    const second = await listenWith(program, to)
    const ids = await hasAll(to)
    expect(idsOf(to.received)).toEqual(ids)
    expect(secretIn(second)).toBe(secretIn(first))
    expect(second.stdout()).toContain("It goes on where it stopped.")
    expect((await second.stop("SIGTERM")).code).toBe(0)
  })

  it("ends when its key does, and says so", async () => {
    const path = `/companies/${company.id}/api-keys/${company.testKeyId}`
    const listening = await listenWith(program, await receiver())
    await askSettings(service, path, { method: "DELETE" })
    expect(await listening.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^journeys: the key cannot be used \(INVALID_API_KEY\): .*\n$/)
    })
  })
})

describe("listen", () => {
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
    await eventually(listening.stderr, (text) => text.includes("cannot be reached: ECONNREFUSED"))
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
    await startAgain(databaseUrl, port)
    const to = await receiver()
    const listening = await listen(to)
    await wholeJourney()
    await hasAll(to)
    await service.stop()
    await eventually(listening.stderr, (text) => text.includes("asking again"))
    await startAgain(databaseUrl, port)
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
})
