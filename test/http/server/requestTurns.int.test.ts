/** Requests of two companies at a service whose event loop takes its turns when the test says so. */
import { Context } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { journeyPagePath } from "../../../src/actors/customer/appPaths.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { CurrentLoop, CurrentRequestTurns, type Loop } from "../../../src/http/server/admission/RequestTurns.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { startServiceOn } from "../../kit/runningService.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, operatorToken, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink } from "../app/CustomerBrowser.ts"
import { signInMember, type ConsoleBrowser } from "../console/consoleGround.ts"

const { changesPerTurn, pagesPerTurn, readsPerTurn } = httpLimits

let service: Service
let loud: TestCompany
let quiet: TestCompany
/** Turns that are asked for and have not been made, while the test makes them; null: the loop makes them. */
let held: Array<() => void> | null = null
/** Which part of its time the loop is busy. Time itself stands still. */
let busy = 0

const loop: Loop = {
  ...CurrentLoop.defaultValue(),
  inNextTurn: (turn) => (held === null ? setImmediate(turn) : held.push(turn)),
  now: () => 0,
  measureBusy: () => () => busy
}

beforeAll(async () => {
  service = await startServiceOn(await freshDatabase(), {}, Context.make(CurrentLoop, loop))
  loud = await makeCompany(service)
  quiet = await makeCompany(service)
})
afterAll(() => service.stop())

const waiting = async (kind: "changes" | "reads" | "pages", count: number) => {
  const turns = await service.run(CurrentRequestTurns)
  return eventually(turns[kind].waiting, (now) => now === count)
}

const waitingAsMeasured = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${service.baseUrl}/metrics`, { headers })).text()
  return Number(/^journeys_requests_waiting (\d+)$/m.exec(text)?.[1])
}

const makeTurn = () => {
  const turns = held ?? []
  held = []
  for (const turn of turns) turn()
}

const letGo = () => {
  makeTurn()
  const turns = held ?? []
  held = null
  for (const turn of turns) setImmediate(turn)
}

const many = <A>(count: number, one: (number: number) => A): Array<A> =>
  Array.from({ length: count }, (_, at) => one(at))

const read = (key: string) => ask(service, key, "/api/v1/events")
const start = (key: string, name: string) =>
  ask(service, key, "/api/v1/journeys", {
    body: startExamples.IDENTITY_DELIVERY,
    headers: { "idempotency-key": `turns-${name}` }
  })

const openWallets = (browser: ConsoleBrowser) => browser.ask("/console/wallets")
const readSettings = () => askSettings(service, `/companies/${loud.id}`)

describe("a company that sends many requests at once", () => {
  it("has some of its reads begun in a turn of the loop, and another company's read begins in the next turn", async () => {
    held = []
    for (const { status } of await Promise.all(many(readsPerTurn, () => read(loud.liveKey)))) expect(status).toBe(200)
    const rest = many(2 * readsPerTurn, () => read(loud.liveKey))
    await waiting("reads", rest.length)
    const other = read(quiet.liveKey)
    await waiting("reads", rest.length + 1)
    expect(await waitingAsMeasured()).toBe(rest.length + 1)

    makeTurn()
    expect((await other).status).toBe(200)
    await waiting("reads", rest.length + 1 - readsPerTurn)

    letGo()
    for (const { status } of await Promise.all(rest)) expect(status).toBe(200)
  })

  it("has a HEAD request wait for the turn of a read, which it is without its body", async () => {
    held = []
    for (const { status } of await Promise.all(many(readsPerTurn, () => read(loud.liveKey)))) expect(status).toBe(200)
    const headers = { authorization: `Bearer ${loud.liveKey}` }
    const head = fetch(`${service.baseUrl}/api/v1/events`, { method: "HEAD", headers })
    await waiting("reads", 1)

    letGo()
    expect((await head).status).toBe(200)
  })

  it("has fewer of its starts begun in a turn, which keep no read waiting", async () => {
    held = []
    const first = await Promise.all(many(changesPerTurn, (number) => start(loud.testKey, `first-${number}`)))
    for (const { status } of first) expect(status).toBe(202)
    const rest = many(changesPerTurn, (number) => start(loud.testKey, `rest-${number}`))
    await waiting("changes", rest.length)
    expect((await read(loud.testKey)).status).toBe(200)

    letGo()
    for (const { status } of await Promise.all(rest)) expect(status).toBe(202)
  })

  it("has few of its team's pages begun in a turn, and another company's page begins in the next turn", async () => {
    const ofLoud = await signInMember(service, loud.id, "TEAM")
    const ofQuiet = await signInMember(service, quiet.id, "TEAM")
    held = []
    for (const { status } of await Promise.all(many(pagesPerTurn, () => openWallets(ofLoud)))) expect(status).toBe(200)
    const rest = many(2 * pagesPerTurn, () => openWallets(ofLoud))
    await waiting("pages", rest.length)
    const other = openWallets(ofQuiet)
    await waiting("pages", rest.length + 1)

    makeTurn()
    expect((await other).status).toBe(200)
    await waiting("pages", rest.length + 1 - pagesPerTurn)

    letGo()
    for (const { status } of await Promise.all(rest)) expect(status).toBe(200)
  })

  it("has its customers' pages wait for a turn like its team's", async () => {
    const started = await start(loud.testKey, "customer")
    const customer = new CustomerBrowser(service)
    await customer.signIn(await newLink(service, started.data.id, "VERIFY_IDENTITY"))
    held = []
    const open = () => customer.ask(journeyPagePath)
    for (const { status } of await Promise.all(many(pagesPerTurn, open))) expect(status).toBe(200)
    const next = open()
    await waiting("pages", 1)

    letGo()
    expect((await next).status).toBe(200)
  })
})

describe("a crowd of one company's requests", () => {
  it("waits while the loop is busy and another company asks for little, which is answered meanwhile", async () => {
    held = []
    const reads = many(2 * readsPerTurn, () => read(loud.liveKey))
    const starts = many(4 * changesPerTurn, (number) => start(loud.testKey, `crowd-${number}`))
    const crowdWaits = async () => {
      await waiting("reads", reads.length - readsPerTurn)
      await waiting("changes", starts.length - changesPerTurn)
    }
    // Some have begun before there was a crowd.
    await crowdWaits()
    busy = 1
    const others = [read(quiet.liveKey), start(quiet.testKey, "beside-crowd")]
    await waiting("reads", reads.length - readsPerTurn + 1)
    await waiting("changes", starts.length - changesPerTurn + 1)
    letGo()
    for (const { status } of await Promise.all(others)) expect(status).toBeLessThan(300)
    expect((await read(quiet.liveKey)).status).toBe(200)
    await crowdWaits()

    busy = 0
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
    for (const { status } of await Promise.all(starts)) expect(status).toBe(202)
  })
})

describe("the operator", () => {
  it("has some of the settings read in a turn of the loop", async () => {
    held = []
    for (const { status } of await Promise.all(many(readsPerTurn, readSettings))) expect(status).toBe(200)
    const next = readSettings()
    await waiting("reads", 1)

    letGo()
    expect((await next).status).toBe(200)
  })
})
