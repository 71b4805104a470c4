/** The page of the request log: the refusals by code above the requests, found by filter, and never anything that was sent. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { ask, askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
let journeyId: string
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const page = "/console/requests"
const secret = "canary.value@example.com"
const start = (body: unknown, key: string = randomUUID()) =>
  ask(ground.service, ground.company.testKey, "/api/v1/journeys", { body, headers: { "idempotency-key": key } })

it("says what the log holds, for how long, and what never, while it is empty", async () => {
  for (const who of [ground.owner, ground.team]) {
    const words = wordsOf(await who.ask(page))
    expect(words).toContain("for 30 days")
    expect(words).toContain("never keeps a body, a value, a query or a person's data")
  }
})

it("shows refusals by code, and each request with its key, journey and Request-Id", async () => {
  const first = await start(startExamples.CASH_SALE, "console-requests")
  await start(startExamples.CASH_SALE, "console-requests")
  journeyId = first.data.id
  for (const _ of [1, 2]) await start({ ...startExamples.CASH_SALE, vehicle: { make: secret }, [secret]: secret })
  const last = await ask(ground.service, ground.company.testKey, `/api/v1/journeys/${randomUUID()}`)
  const seen = await eventually(
    () => ground.team.ask(page),
    ({ text }) => text.includes(last.headers.get("request-id") ?? "none")
  )
  expect(seen.text).toMatch(
    /href="\/docs\/errors\/VALIDATION_FAILED"[\s\S]{0,200}href="\/console\/requests\?mode=TEST&amp;code=VALIDATION_FAILED">2</
  )
  expect(wordsOf(seen)).toContain("Refused with test keys, by code")
  expect(wordsOf(seen)).not.toContain("with live keys")
  expect(seen.text).toContain(`href="/console/keys/${ground.company.testKeyId}"`)
  expect(seen.text).toContain(`href="/console/journeys/${journeyId}"`)
  expect(seen.text).toContain(first.headers.get("request-id"))
  expect(wordsOf(seen)).toContain("replayed")
  expect(wordsOf(seen)).toContain("vehicle.registration")
  expect(seen.text).not.toContain("canary")
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/request-errors?mode=TEST`)
  expect(data.errors).toMatchObject([
    { code: "VALIDATION_FAILED", count: 2, lastKeyId: ground.company.testKeyId },
    { code: "JOURNEY_NOT_FOUND", count: 1 }
  ])
})

it("says of which mode refusals are counted, and how many requests of the other mode were refused", async () => {
  const live = await ground.owner.ask(`${page}?mode=LIVE`)
  expect(live.text).toContain('<a href="/console/requests?mode=TEST">3 requests with test keys</a> were refused.')
  expect(wordsOf(live)).not.toContain("by code")
  await ask(ground.service, ground.company.liveKey, `/api/v1/journeys/${randomUUID()}`)
  const test = await eventually(
    () => ground.owner.ask(page),
    ({ text }) => text.includes("mode=LIVE")
  )
  expect(test.text).toContain('<a href="/console/requests?mode=LIVE">1 request with live keys</a> was refused.')
  expect(wordsOf(await ground.owner.ask(`${page}?mode=LIVE`))).toContain("Refused with live keys, by code")
})

it("finds by code, key, journey and mode, and says so where nothing is found or a filter is none", async () => {
  const routes = async (query: string) => {
    const { status, text } = await ground.owner.ask(`${page}?${query}`)
    return [status, [...text.matchAll(/<td[^>]*><code>(?:GET|POST) /g)].length]
  }
  expect(await routes("code=VALIDATION_FAILED")).toEqual([200, 2])
  expect(await routes(`mode=TEST&journeyId=${journeyId}`)).toEqual([200, 2])
  expect(await routes(`keyId=${ground.company.testKeyId}`)).toEqual([200, 5])
  expect(await routes(`keyId=${ground.company.liveKeyId}`)).toEqual([200, 0])
  expect(await routes("mode=LIVE")).toEqual([200, 1])
  expect(await routes("journeyId=nonsense")).toEqual([422, 0])
  expect(wordsOf(await ground.owner.ask(`${page}?code=CONFLICT`))).toContain("No request is like that")
})
