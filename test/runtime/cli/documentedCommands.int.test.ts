/** Every command that the README and the pages under docs print runs as it is printed, in the order of its page. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember, openSession } from "../../support/members.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { useCommands } from "./commandGround.ts"

const root = resolve(import.meta.dirname, "../../..")
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]

/** What runs elsewhere, and why not here. */
const elsewhere: ReadonlyArray<readonly [begins: string, test: string]> = [
  ["listen ", "test/runtime/cli/listen.e2e.test.ts"],
  ["brand set ", "test/runtime/cli/brandCommands.int.test.ts"]
]

/** The lines of the blocks of a page that are commands of ours, without their remarks. */
const commandsOf = (page: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```\w*\n([^]*?)^```/gm)].flatMap(([, block = ""]) =>
    [...block.replaceAll(/\\\n\s*/g, "").matchAll(/^npm run journeys -- (.*)$/gm)].map(([, line = ""]) =>
      line.replace(/\s+#.*$/, "")
    )
  )

/** The words of a line as a shell reads them. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "")

const documented = pages.map((page) => [page, commandsOf(page)] as const).filter(([, commands]) => commands.length > 0)

const ground = useCommands({ WEBHOOK_ALLOW_INSECURE: "true", SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
let receiver: Receiver
let liveKey: string
/** What a reader puts in the place of a name in angle brackets. */
let placed: Readonly<Record<string, () => Promise<string>>>

beforeAll(async () => {
  receiver = await startReceiver()
  const { service } = ground
  const company = await makeCompany(service, {
    name: "Harbour Cars",
    credits: 5,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
  liveKey = company.liveKey
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const { data: live } = await start(service, company.liveKey, startBody("CASH_SALE"))
  const member = await addMember(service, company.id, { email: "other@harbour.example", role: "TEAM" })
  const owner = await addMember(service, company.id, { email: "owner@harbour.example" })
  await openSession(service, owner)
  const first = async (statement: string, ...values: ReadonlyArray<unknown>): Promise<string> => {
    const [row] = await eventually(
      () => service.query<{ readonly found: string }>(statement, [...values]),
      (rows) => rows.length > 0
    )
    return row?.found ?? ""
  }
  placed = {
    company: () => Promise.resolve(company.id),
    journey: () => Promise.resolve(data.id),
    member: () => Promise.resolve(member),
    session: () => first("select id as found from console_sessions where member_id = $1", owner),
    token: () => first("select id as found from operator_tokens limit 1"),
    mail: () => first("select id as found from mails where journey_id = $1 and sent_at is not null limit 1", live.id),
    number: () =>
      first("select number::text as found from audit where company_id = $1 order by number limit 1", company.id),
    hash: () =>
      first("select encode(hash, 'hex') as found from audit where company_id = $1 order by number limit 1", company.id),
    time: () => Promise.resolve(new Date(Date.now() - 3_600_000).toISOString()),
    delivery: () => first("select event_id as found from deliveries limit 1"),
    resend: () => first("select id as found from resend_tasks order by created_at desc limit 1")
  }
})
afterAll(() => receiver.stop())

const filledIn = async (line: string): Promise<string> => {
  let text = line
    .replace("https://hooks.example.com/journeys", receiver.url)
    // The company of the name is there already, and pages after this one find it by its name.
    .replace('companies create --name "Harbour Cars"', 'companies create --name "Quay Cars"')
  for (const [mark, name = ""] of line.matchAll(/<([a-z]+)>/g)) {
    const find = placed[name]
    if (find === undefined) throw new Error(`nobody knows what to put in the place of ${mark}`)
    text = text.replace(mark, await find())
  }
  return text
}

describe.each(documented)("%s", (_page, commands) => {
  it.each(commands.map((line) => [line]))("%s", async (line) => {
    const test = elsewhere.find(([begins]) => line.startsWith(begins))?.[1]
    if (test !== undefined) {
      expect(readFileSync(join(root, test), "utf8")).toContain(line.split(" ")[0])
      return
    }
    const { code, stderr } = await ground.journeys(...wordsOf(await filledIn(line)))
    expect([code, stderr]).toEqual([0, ""])
  })
})

describe("docs/team.md", () => {
  it("starts a live journey by the request that it prints", async () => {
    const page = readFileSync(join(root, "docs/team.md"), "utf8")
    const [, printed = ""] = /^(curl [^]*?api\/v1\/journeys)$/m.exec(page) ?? []
    const line = printed.replace("http://127.0.0.1:3000", ground.service.baseUrl).replace("<liveKey>", liveKey)
    const { stdout } = await promisify(execFile)("bash", ["-c", `${line} --silent`])
    expect(JSON.parse(stdout).data).toMatchObject({ livemode: true, status: "ACTIVE" })
  })
})
