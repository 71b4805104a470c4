import { spawnSync } from "node:child_process"
import { createServer } from "node:net"
import { afterEach, beforeEach, expect, it } from "vitest"
import { ask } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/freePort.ts"
import { freshDatabase } from "../support/service.ts"
import { listening, run, startMain, temporaryFolder, type MainProcess } from "../support/processes.ts"

const encryptionKey = Buffer.alloc(32, 7).toString("base64")
const token = "test-operator-token-of-this-file"
/** The announcement's last line. */
const allPrinted = /\nwhile curl .*\n/
const hasCurl = spawnSync("curl", ["--version"]).status === 0
const withCurl = it.skipIf(!hasCurl && process.env["CI"] !== "true")

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let started: Array<MainProcess> = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  await Promise.all(started.map((main) => main.stop("SIGKILL")))
  started = []
  await folder.remove()
})

const start = (environment: Readonly<Record<string, string>> = {}): MainProcess => {
  const main = startMain(folder.path, environment)
  started.push(main)
  return main
}

const commandsOf = (stdout: string) => ({
  start: /\n(curl [^]*?)\n\n/.exec(stdout)?.[1] ?? "",
  watch: /\n(while curl .*)\n/.exec(stdout)?.[1] ?? ""
})

/** Both printed commands, as pasted into a shell; the second is stopped after its first round. */
const paste = async (stdout: string) => {
  const commands = commandsOf(stdout)
  const first = await run("bash", ["-c", commands.start], { cwd: folder.path })
  const watch = await run("bash", ["-c", commands.watch.replace("do echo; sleep 2; done", "do exit; done")], {
    cwd: folder.path
  })
  return [JSON.parse(first.stdout), JSON.parse(watch.stdout)]
}

withCurl("prints on the first start keys and commands that work as they stand, later where the keys are", async () => {
  const first = start()
  await first.printed(allPrinted)
  const keys = first.stdout().match(/svc_(?:test|live)_[0-9A-Za-z]{38}/g) ?? []
  expect(new Set(keys).size).toBe(4)
  expect(first.stdout()).toContain(".journeys/demo.json")
  const [journey, list] = await paste(first.stdout())
  expect([journey.success, journey.data.type, journey.data.livemode]).toEqual([true, "IDENTITY_DELIVERY", false])
  expect(list.data.content[0].id).toBe(journey.data.id)
  expect(await first.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" })

  const second = start()
  await second.printed(allPrinted)
  expect(second.stdout()).toContain("The keys of the demo companies are in .journeys/demo.json")
  for (const key of keys) expect(second.stdout()).not.toContain(key)
  const [again] = await paste(second.stdout())
  expect([again.success, again.data.customerReference]).toEqual([true, journey.data.customerReference])
  expect(await second.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" })
})

it("makes nothing in a database that the operator names, and says how to make a company", async () => {
  const main = start({ DATABASE_URL: await freshDatabase(), ENCRYPTION_KEY: encryptionKey, OPERATOR_TOKEN: token })
  await main.printed(/npm run journeys -- companies create.*npm run journeys -- keys create/)
  const [, baseUrl = ""] = await main.printed(listening)
  expect((await ask({ baseUrl }, token, "/settings/v1/companies")).data.totalElements).toBe(0)
  expect((await main.stop()).code).toBe(0)
})

it("logs one JSON object on each line without a terminal, also about a Redis that is away, and no secret", async () => {
  const main = start({
    DATABASE_URL: await freshDatabase(),
    ENCRYPTION_KEY: encryptionKey,
    OPERATOR_TOKEN: token,
    LOG_LEVEL: "trace",
    WEBHOOK_ALLOW_INSECURE: "true",
    SMTP_URL: "smtp://user:smtp-canary@mail.example",
    MAIL_FROM: "journeys@example.com",
    // Nobody listens there: a node starts without its Redis.
    REDIS_URL: `redis://:redis-canary@127.0.0.1:${await freePort()}`,
    RUNNER_ADDRESS: `127.0.0.1:${await freePort()}`
  })
  const [, baseUrl = ""] = await main.printed(listening)
  const settings = (path: string, body?: unknown, method = "POST") =>
    ask({ baseUrl }, token, `/settings/v1/companies${path}`, body === undefined ? {} : { body, method })
  const { id } = (await settings("", { name: "Harbour Cars", kind: "DEALER", adminEmail: "owner@example.com" })).data
  await settings(
    `/${id}`,
    { identityProvider: { kind: "HTTP", url: "https://a.example", secret: "provider-canary-1" } },
    "PATCH"
  )
  await settings(`/${id}`, { identityProvider: { kind: "HTTP", url: "nope", secret: "provider-canary-2" } }, "PATCH")
  const { key } = (await settings(`/${id}/api-keys`, { mode: "TEST" })).data
  await ask({ baseUrl }, key, "/api/v1/journeys")
  await ask({ baseUrl }, "guess-canary", "/settings/v1/companies")
  const { code, stderr, stdout } = await main.stop()
  expect([code, stderr]).toEqual([0, ""])

  const logs = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(logs).toContainEqual(
    expect.objectContaining({
      level: "INFO",
      message: [`Journeys listens on ${baseUrl}`, { host: "127.0.0.1", port: Number(new URL(baseUrl).port) }]
    })
  )
  expect(logs).toContainEqual(
    expect.objectContaining({
      level: "ERROR",
      message: expect.arrayContaining([expect.stringContaining("Redis is away")])
    })
  )
  expect(logs).toContainEqual(
    expect.objectContaining({ level: "WARN", message: expect.stringContaining("WEBHOOK_ALLOW_INSECURE") })
  )
  for (const secret of [key, token, encryptionKey, "smtp-canary", "redis-canary", "provider-canary", "guess-canary"]) {
    expect(stdout).not.toContain(secret)
  }
})

it("logs nothing below LOG_LEVEL", async () => {
  const port = await freePort()
  const main = start({
    PORT: String(port),
    DATABASE_URL: await freshDatabase(),
    ENCRYPTION_KEY: encryptionKey,
    OPERATOR_TOKEN: token,
    LOG_LEVEL: "error",
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  await eventually(isReady, (ready) => ready)
  expect((await main.stop()).stdout).not.toContain("WEBHOOK_ALLOW_INSECURE")
})

it.each([
  [{ PORT: "99999" }, /^PORT must be a whole number from 0 to 65535, not "99999"\n$/],
  [
    { BASE_URLL: "x", LOG_LEVEL: "loud" },
    /^BASE_URLL is not a setting; did you mean BASE_URL\?\nLOG_LEVEL must be .*\n$/
  ],
  [
    {
      PROFILE: "production",
      DATABASE_URL: "postgres://nobody:secret-canary@127.0.0.1:1/none",
      ENCRYPTION_KEY: encryptionKey
    },
    /^the database at 127\.0\.0\.1:1\/none cannot be reached: .*\n$/
  ]
])("ends with exit code 1 and only the reason when it cannot start: %j", async (environment, reason) => {
  const { code, stderr, stdout } = await start(environment).ended
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(reason)
  expect(stderr).not.toContain("secret-canary")
})

it("names the setting of the port that is taken when it is not the service's own port", async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done))
  const address = other.address()
  const port = typeof address === "object" ? String(address?.port) : ""
  const main = start({ PORT: "0", OPS_PORT: port, DATABASE_URL: await freshDatabase(), ENCRYPTION_KEY: encryptionKey })
  const { code, stderr } = await main.ended
  other.close()
  expect([code, stderr]).toEqual([
    1,
    `cannot listen: address already in use 127.0.0.1:${port}; set OPS_PORT to another port\n`
  ])
})

it.each([
  ["198.51.100.7", "198.51.100.7 is no address of this machine"],
  ["999.1.1.1", "no address is known for 999.1.1.1"]
])("names HOST when it cannot listen at %s", async (host, problem) => {
  const main = start({ HOST: host, PORT: "0", DATABASE_URL: await freshDatabase(), ENCRYPTION_KEY: encryptionKey })
  const { code, stderr } = await main.ended
  const cure = "set HOST to one of this machine's addresses, or to 0.0.0.0 for all of them"
  expect([code, stderr]).toEqual([1, `cannot listen: ${problem}; ${cure}\n`])
})

it("names DATA_DIR when it is no folder that can be written", async () => {
  const { code, stderr } = await start({ DATA_DIR: "/dev/null" }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^\/dev\/null\/secrets\.json cannot be read or made: a part of its path is no folder \(ENOTDIR\); name in DATA_DIR a folder that .*\n$/
  )
})

it("names the port that is taken", async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done))
  const address = other.address()
  const port = typeof address === "object" ? String(address?.port) : ""
  const main = start({ PORT: port, DATABASE_URL: await freshDatabase(), ENCRYPTION_KEY: encryptionKey })
  const { code, stderr } = await main.ended
  other.close()
  expect([code, stderr]).toEqual([
    1,
    `cannot listen: address already in use 127.0.0.1:${port}; set PORT to another port, or 0 for any free one\n`
  ])
})
