import { afterEach, beforeEach, expect, it } from "vitest"
import { makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { useCommands } from "./commandGround.ts"

const ground = useCommands({ WEBHOOK_ALLOW_INSECURE: "true" })
let receiver: Receiver
let company: TestCompany
beforeEach(async () => {
  company = await makeCompany(ground.service, { settings: { sandbox: { pace: "manual" } } })
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const webhooks = (command: string, ...parameters: ReadonlyArray<string>) =>
  ground.journeys("webhooks", command, company.id, ...parameters)

const json = (command: string, ...parameters: ReadonlyArray<string>) =>
  ground.json("webhooks", command, company.id, ...parameters)

it("sets, shows, rolls and removes an endpoint, showing a secret once with a warning to keep it", async () => {
  const set = await webhooks("set", "test", receiver.url, "--event", "identity.*", "--event", "journey.completed")
  const secret = /^secret +(whsec_\S+)$/m.exec(set.stdout)?.[1] ?? ""
  expect(secret).not.toBe("")
  expect(set.stdout).toContain("The secret is shown only now: keep it safe.")
  const again = await webhooks("set", "test", receiver.url, "--no-enabled")
  expect(again.stdout).not.toContain("secret is shown")
  expect(await json("show", "test")).toMatchObject({
    url: receiver.url,
    events: ["identity.*", "journey.completed"],
    enabled: false,
    offReason: "BY_HAND"
  })
  const rolled = await json("roll-secret", "test", "--overlap-hours", "24")
  expect(rolled).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousSecretUntil: expect.any(String) })
  expect(rolled.secret).not.toBe(secret)
  expect((await json("remove", "test")).enabled).toBe(false)
  const gone = await webhooks("show", "test")
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("NOT_FOUND webhookEndpoint")])
})

it("says which command makes an endpoint where the company has none of that mode", async () => {
  for (const parameters of [
    ["show", "live"],
    ["deliveries", "live"],
    ["sample", "identity.failed"]
  ] as const) {
    const [command, ...others] = parameters
    const { code, stderr } = await webhooks(command, ...others)
    expect([code, stderr]).toEqual([1, expect.stringContaining('no endpoint of that mode; "webhooks set" makes one\n')])
  }
  const unknown = await ground.journeys("webhooks", "show", "00000000-0000-4000-8000-000000000000", "test")
  expect(unknown.stderr).toContain('no company has that id; see "companies list"')
})

it("pings and sends samples, showing what came of it without letting an answer steer the terminal", async () => {
  await json("set", "test", receiver.url)
  receiver.answer((_request, response) => response.writeHead(202).end("\u001b[31m\u009b31m\u202ered\nline"))
  const ping = await webhooks("ping", "test")
  expect(ping.code).toBe(0)
  expect(ping.stdout).toMatch(/^status +DELIVERED$/m)
  expect(ping.stdout).toMatch(/^1 +\S+ +\d+ +TEST +202 +\[31m 31m red line$/m)
  const printed = await webhooks("delivery", "test", (await json("deliveries", "test")).content[0].id, "--json")
  expect(JSON.parse(printed.stdout).attempts[0].answer).toBe("\u001b[31m\u009b31m\u202ered\nline")
  expect(printed.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  expect(await json("sample", "identity.failed")).toMatchObject({ type: "identity.failed", status: "DELIVERED" })
  expect(receiver.received.map(({ headers }) => headers["service-event-type"])).toEqual(["ping", "identity.failed"])
})

it("lists deliveries, shows one, and sends one or many again", async () => {
  await json("set", "test", receiver.url, "--no-enabled")
  await start(ground.service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
  const parked = await json("deliveries", "test", "--status", "PARKED")
  expect(parked.content.length).toBeGreaterThan(1)
  const [{ id, journeyId }] = parked.content
  const piece = await webhooks("deliveries", "test", "--size", "1")
  expect(piece.stdout).toMatch(new RegExp(`^ID +TYPE.*\\n${id}.*\\nMore with --cursor ${id}\\n$`))
  const rest = await json("deliveries", "test", "--cursor", id)
  expect(rest.content.map((one: { readonly id: string }) => one.id)).not.toContain(id)
  expect((await webhooks("delivery", "test", id)).stdout).toContain("No attempts.")
  const refused = await webhooks("resend", "test", id)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("CONFLICT webhookEndpoint")])

  await json("set", "test", receiver.url)
  expect(await json("resend", "test", id)).toMatchObject({ id, status: "PENDING" })
  await receiver.arrived(1)
  const since = new Date(Date.now() - 60_000).toISOString()
  const task = await json("resend-since", "test", since, "--journey", journeyId)
  expect(task).toMatchObject({ journeyId, types: null, delivered: false })
  await receiver.arrived(parked.content.length)
  const done = await eventually(
    () => json("resends", "test"),
    ({ content }) => content[0].state === "DONE" && content[0].counts.PENDING === 0
  )
  expect(done.content).toMatchObject([{ id: task.id, counts: { DELIVERED: parked.content.length - 1 } }])
  expect((await webhooks("resends", "test")).stdout).toMatch(/^ID +STATE +SINCE +QUEUED/)
  expect(await json("resend-task", "test", task.id)).toEqual(done.content[0])
  const statistics = await webhooks("statistics", "test", "--hours", "1")
  expect(statistics.stdout).toMatch(/^delivered +[1-9]/m)
  expect(statistics.stdout).toMatch(/^HOUR +DELIVERED +FAILED +P50 MS +P95 MS$/m)
})
