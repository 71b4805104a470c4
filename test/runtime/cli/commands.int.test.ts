import { createServer } from "node:http"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ask, makeCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { owe } from "../../support/owedMail.ts"
import { operatorToken } from "../../support/service.ts"
import { useCommands } from "./commandGround.ts"

const ground = useCommands()
const { journeys, journeysWith, json } = ground

const unknownCompany = "00000000-0000-4000-8000-000000000000"

it("makes a company, changes it, and shows and lists it", async () => {
  const made = await json(
    "companies",
    "create",
    "--name",
    "Harbour Cars",
    "--kind",
    "BROKER",
    "--admin-email",
    "o@example.com"
  )
  expect(made).toMatchObject({ name: "Harbour Cars", kind: "BROKER", adminEmail: "o@example.com", active: true })
  const days = ["--identity-window-days", "7", "--media-retention-days", "14"]
  const update = ["companies", "update", made.id, "--name", "Quay Cars", "--no-active", ...days]
  expect(await json(...update)).toEqual({
    ...made,
    name: "Quay Cars",
    active: false,
    identityWindowDays: 7,
    mediaRetentionDays: 14
  })
  expect(await json("companies", "show", made.id)).toMatchObject({ name: "Quay Cars", active: false })
  const ready = "The document has expired\nThe photo is too blurred to read"
  const reasons = ["companies", "update", made.id, "--approval-reasons", "Same person", "--rejection-reasons"]
  expect(await json(...reasons, ready)).toMatchObject({ approvalReasons: "Same person", rejectionReasons: ready })
  expect(await json("companies", "update", made.id, "--approval-reasons", "none")).toMatchObject({
    approvalReasons: null,
    rejectionReasons: ready
  })
  const list = await journeys("companies", "list", "--size", "1")
  const [header = "", row = "", footer] = list.stdout.split("\n")
  expect([header.indexOf("NAME"), header.indexOf("KIND")]).toEqual([row.indexOf("Quay Cars"), row.indexOf("BROKER")])
  expect(footer ?? "").toMatch(/^(1 of \d+: page 0; the last is \d+ \(--page\))?$/)
})

it("takes a company by its name, and a mode in any letters", async () => {
  const { id } = await makeCompany(ground.service, { name: "Quince Cars" })
  expect(await json("companies", "show", "quince cars")).toMatchObject({ id })
  const filled = await json("wallets", "credit", "Quince Cars", "identity", "3", "--note", "invoice 1")
  expect(filled).toMatchObject({ wallet: "IDENTITY", balance: 3 })
  expect(await json("keys", "create", id, "--mode", "test")).toMatchObject({ mode: "TEST" })
  const unknown = await journeys("companies", "show", "Nobody's Cars")
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'journeys: no company has the id or the name "Nobody\'s Cars"; see "companies list"\n'
  ])
  await makeCompany(ground.service, { name: "Quince Cars" })
  const two = await journeys("companies", "show", "Quince Cars")
  expect(two.stderr).toMatch(
    /^journeys: several companies have the name "Quince Cars": name one by its id \(.+, .+\)\n$/
  )
})

it("sets and takes away providers, with secrets from files that it never prints", async () => {
  const { id } = await makeCompany(ground.service)
  const secretFile = join(ground.folder, "secret.txt")
  await writeFile(secretFile, "file-canary-0123456789\n")
  const providers = ["--identity", "https://identity.example/check", "--panel", "PanelOne"]
  const rest = [
    "--identity-secret-file",
    secretFile,
    "--panel-url",
    "https://panel.example",
    "--panel-secret-file",
    secretFile
  ]
  const set = await journeys("companies", "update", id, ...providers, ...rest, "--json")
  expect(JSON.parse(set.stdout)).toMatchObject({
    identityProvider: { kind: "HTTP", url: "https://identity.example/check" },
    financePanel: { name: "PanelOne", url: "https://panel.example" }
  })
  expect(set.stdout + set.stderr).not.toContain("file-canary")
  expect(await json("companies", "update", id, "--identity", "built-in", "--panel", "none")).toMatchObject({
    identityProvider: { kind: "BUILT_IN" },
    financePanel: null
  })
  for (const halves of [
    ["--identity", "https://identity.example"],
    ["--identity", "none", "--identity-secret-file", secretFile],
    ["--panel", "PanelOne", "--panel-url", "https://panel.example"],
    ["--panel-url", "https://panel.example"]
  ]) {
    const refused = await journeys("companies", "update", id, ...halves)
    expect([refused.code, refused.stdout]).toEqual([1, ""])
    expect(refused.stderr).toMatch(/^journeys: .*(together|needs?) .*\n|^journeys: .* go together\n$/)
  }
})

it("makes, changes, rotates and revokes keys, showing a key's text once", async () => {
  const { id } = await makeCompany(ground.service)
  const made = await journeys("keys", "create", id, "--mode", "TEST", "--scope", "journeys:read", "--name", "Web shop")
  const key = /^key +(svc_test_[0-9A-Za-z]{38})$/m.exec(made.stdout)?.[1] ?? ""
  const keyId = /^id +(\S+)$/m.exec(made.stdout)?.[1] ?? ""
  expect(made.stdout).toContain("The key is shown only now: keep it safe.")
  expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(200)
  const list = await journeys("keys", "list", id)
  expect(list.stdout).toContain("Web shop")
  expect(list.stdout).not.toContain(key)

  const updated = await json("keys", "update", id, keyId, "--name", "Till", "--expires-at", "2099-01-31T09:30:00Z")
  expect(updated).toMatchObject({ name: "Till", scopes: ["journeys:read"], expiresAt: "2099-01-31T09:30:00.000Z" })
  expect((await json("keys", "update", id, keyId, "--expires-at", "never")).expiresAt).toBeNull()
  const rotated = await json("keys", "rotate", id, keyId)
  expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(401)
  expect((await ask(ground.service, rotated.key, "/api/v1/journeys")).status).toBe(200)
  expect((await json("keys", "revoke", id, keyId)).revokedAt).not.toBeNull()
  expect((await ask(ground.service, rotated.key, "/api/v1/journeys")).status).toBe(401)
})

it("sets sandbox switches and refuses a pace that is none", async () => {
  const { id } = await makeCompany(ground.service)
  const all = { identityConfigured: true, panelConfigured: true, credits: true }
  expect(await json("sandbox", "set", id, "--no-credits", "--pace", "3")).toEqual({ ...all, credits: false, pace: 3 })
  expect(await json("sandbox", "set", id, "--pace", "manual")).toEqual({ ...all, credits: false, pace: "manual" })
  const refused = await journeys("sandbox", "set", id, "--pace", "slow")
  expect([refused.code, refused.stderr]).toEqual([1, "journeys: --pace must be 1 to 60, manual or default\n"])
  expect(await json("sandbox", "set", id, "--credits", "--pace", "default")).toEqual(all)
})

it("a change that names nothing fails and says so", async () => {
  const { id } = await json(
    "companies",
    "create",
    "--name",
    "Still Cars",
    "--kind",
    "DEALER",
    "--admin-email",
    "s@example.com"
  )
  for (const command of [
    ["companies", "update"],
    ["sandbox", "set"],
    ["brand", "set"]
  ]) {
    const { code, stderr } = await journeys(...command, id)
    expect([command, code, stderr]).toEqual([
      command,
      1,
      expect.stringContaining("nothing is named that should change")
    ])
  }
})

it("shows and fills wallets, and lists the ledger and the audit log", async () => {
  const { id } = await makeCompany(ground.service)
  expect(await json("wallets", "credit", id, "IDENTITY", "50", "--note", "Invoice 7")).toEqual({
    wallet: "IDENTITY",
    balance: 50,
    held: 0
  })
  for (const _ of ["the first", "a repetition"]) {
    const once = ["--note", "Invoice 8", "--once", "invoice-8"]
    expect((await json("wallets", "credit", id, "APPLICATION", "3", ...once)).balance).toBe(3)
  }
  expect((await journeys("wallets", "show", id)).stdout).toMatch(
    /^WALLET +BALANCE +HELD\nAPPLICATION +3 +0\nIDENTITY +50 +0\n$/
  )
  expect((await journeys("wallets", "ledger", id, "IDENTITY")).stdout).toMatch(/50 +- +Invoice 7\n$/)
  expect((await journeys("wallets", "ledger", id, "APPLICATION")).stdout).toMatch(/3 +- +Invoice 8\n$/)
  const audit = await json("audit", id, "--size", "2")
  expect([audit.content[0].action, audit.content.length]).toEqual(["wallet.credited", 2])
})

it("tells a refusal with its code, field and Request-Id, to people and to programs", async () => {
  const { id } = await makeCompany(ground.service)
  const refused = await journeys("wallets", "credit", id, "IDENTITY", "0", "--note", "x")
  expect([refused.code, refused.stdout]).toEqual([1, ""])
  expect(refused.stderr).toMatch(
    /^journeys: the service refused \(400\)\n {2}VALIDATION_FAILED amount: amount must be .*\n {2}Request-Id [0-9a-f-]{36}\n$/
  )
  const encoded = await journeys("companies", "show", unknownCompany, "--json")
  expect([encoded.code, encoded.stdout]).toEqual([1, ""])
  expect(JSON.parse(encoded.stderr)).toEqual({
    message: expect.any(String),
    status: 404,
    errors: [{ field: "company", code: "NOT_FOUND", message: expect.any(String) }],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/)
  })
})

it("says what is wrong when there is no service, no token, or something else at the address", async () => {
  const away = await journeysWith({ PORT: "1", OPERATOR_TOKEN: operatorToken }, "companies", "list")
  expect(away).toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "journeys: the service does not answer at http://127.0.0.1:1; is it running (npm start), and at this address (BASE_URL, else HOST and PORT)?\n"
  })
  const noToken = await journeysWith({ BASE_URL: ground.service.baseUrl }, "companies", "list")
  expect([noToken.code, noToken.stderr]).toEqual([1, expect.stringContaining("OPERATOR_TOKEN is not set and")])
  const wrongToken = await journeysWith(
    { BASE_URL: ground.service.baseUrl, OPERATOR_TOKEN: "another-operator-token-00000000000000" },
    "audit",
    "x"
  )
  expect([wrongToken.code, wrongToken.stderr]).toEqual([
    1,
    expect.stringMatching(/\(401\)\n  INVALID_API_KEY [^\n]*\n  OPERATOR_TOKEN must be that of the service/)
  ])
  expect((await journeysWith({ PORT: "none" }, "companies", "list")).stderr).toMatch(/^journeys: PORT must be/)
  expect((await journeysWith({ PORT: "0" }, "companies", "list")).stderr).toMatch(/^journeys: PORT is 0/)

  const stranger = createServer((_request, response) => response.end("hello"))
  await new Promise<void>((done) => stranger.listen(0, "127.0.0.1", done))
  const address = stranger.address()
  const port = typeof address === "object" ? String(address?.port) : ""
  const other = await journeysWith({ PORT: port, OPERATOR_TOKEN: operatorToken }, "companies", "list")
  stranger.close()
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("is not this service")])
})

it("reads the token the service made in DATA_DIR, and makes none itself", async () => {
  const dataDir = join(ground.folder, "data")
  await mkdir(dataDir)
  const listed = () =>
    journeysWith({ BASE_URL: ground.service.baseUrl, DATA_DIR: dataDir }, "companies", "list", "--json")
  expect((await listed()).code).toBe(1)
  expect(await readdir(dataDir)).toEqual([])
  await writeFile(join(dataDir, "secrets.json"), JSON.stringify({ operatorToken, encryptionKey: "" }))
  expect((await listed()).code).toBe(0)
})

it("explains itself without a service, and shows the help of a command that was misused", async () => {
  for (const command of [[], ["keys", "create"], ["audit"]]) {
    const help = await journeysWith({}, ...command, "--help")
    expect([command, help.code, help.stderr]).toEqual([command, 0, ""])
    expect(help.stdout).toContain(["journeys", ...command].join(" "))
  }
  const misused = await journeysWith({}, "companies", "create", "--name", "X")
  expect([misused.code, misused.stderr]).toEqual([1, expect.stringContaining("--kind")])
})

it("lists kept mail to an address", async () => {
  const { id } = await makeCompany(ground.service, { adminEmail: "mail@commands.example" })
  await owe(ground.service.databaseUrl, { companyId: id, causes: ["commands"] })
  const page = await eventually(
    () => json("mail", "list", "--to", "mail@commands.example"),
    ({ totalElements }) => totalElements === 1
  )
  expect(page.content[0]).toMatchObject({ companyId: id, text: expect.stringContaining("https://hooks.example.com") })
  expect((await json("mail", "list", "--to", "other@commands.example")).totalElements).toBe(0)
  expect((await journeys("mail", "list", "--journey", "x")).stderr).toContain("journeyId")
})

it("says which command shows the ids when the service knows nothing of that id", async () => {
  const { id } = await makeCompany(ground.service)
  const cures: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["keys", "show", id, "abc"], "keys list"],
    [["clocks", "show", id, unknownCompany], "clocks list"],
    [["reviews", "show", id, unknownCompany], "reviews list"],
    [["journeys", "show", id, unknownCompany], "journeys list"],
    [["export-case", "abc"], "journeys list"],
    [["customers", "erase", id, unknownCompany], "journeys show"],
    [["members", "passkeys", id, unknownCompany], "members list"],
    [["sessions", "end", id, unknownCompany], "sessions list"],
    [["operator-tokens", "revoke", unknownCompany], "operator-tokens list"]
  ]
  for (const [parameters, command] of cures) {
    const { stderr } = await journeys(...parameters)
    expect([parameters, stderr]).toEqual([parameters, expect.stringMatching(`NOT_FOUND [^]*"${command}"`)])
  }
})

it("says the whole rule of a pace, of an advance and of a place in a list", async () => {
  const { id } = await makeCompany(ground.service)
  const pace = await journeys("sandbox", "set", id, "--pace", "0")
  expect(pace.stderr).toContain(`sandbox.pace must be a whole number of seconds from 1 to 60, "manual", or null`)
  const clock = await json("clocks", "create", id)
  const advance = await journeys("clocks", "advance", id, clock.id, "--by", "P0D")
  expect(advance.stderr).toContain("of a second or more, such as P30D")
  const size = await journeys("companies", "list", "--size", "abc")
  expect(size.stderr).toContain('--size: "abc". Expected a whole number')
  const requests = await journeys("requests", id, "--cursor", "1")
  expect(requests.stderr).toContain('cursor must be `next` of an answer; it is "1"')
})
