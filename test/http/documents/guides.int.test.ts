/** The guides over HTTP: what is served and linked, the search, and the examples of the first guide, carried out as they stand. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { signatureExample } from "../../../src/http/documents/prose.ts"
import { guides } from "../../../src/http/guides/guides.ts"
import { eventCatalogue } from "../../../src/schema/journey/events.ts"
import { Shape } from "../../../src/schema/journey/statuses.ts"
import { ask, makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startService, type Service } from "../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

const get = async (path: string) => {
  const response = await fetch(`${service.baseUrl}${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it("the first guide names the address at which it was asked for", async () => {
  const { text } = await get("/docs/guides/start")
  expect(text).toContain(`BASE=\${BASE:-${service.baseUrl}}`)
})

const idsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? ""))
const linksIn = (text: string) => [...text.matchAll(/href="(\/docs\/[^"]+|#[^"]+)"/g)].map(([, link]) => link ?? "")

describe.each(guides.map(({ name }) => name))("the guide %s", (name) => {
  const path = `/docs/guides/${name}`

  it("is served to everyone with one heading, without scripts and without Markdown left over", async () => {
    const { headers, status, text } = await get(path)
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).not.toContain("<script")
    expect(text.replaceAll(/<pre.*?<\/pre>/gs, "")).not.toMatch(/\]\(|\*\*|```/)
  })

  it("links only to pages and places that exist", async () => {
    const { text } = await get(path)
    const links = new Set(linksIn(text))
    expect(links.size).toBeGreaterThan(3)
    for (const link of links) {
      const [target = "", anchor] = link.split("#")
      const page = target === "" ? { status: 200, text } : await get(target)
      expect(page.status, link).toBe(200)
      if (anchor !== undefined) expect([...idsIn(page.text)], link).toContain(anchor)
    }
  })
})

it("lists every guide, and answers 404 to any other name", async () => {
  const { text } = await get("/docs/guides")
  for (const { name, title } of guides) expect(text).toContain(`<a href="/docs/guides/${name}">${title}</a>`)
  expect((await get("/docs/guides/none")).status).toBe(404)
})

it("draws each shape with the events that can come, the ordinary and the other ways", async () => {
  const { text } = await get("/docs/guides/journeys")
  expect(text.match(/<ol class="flow">/g)).toHaveLength(Shape.literals.length)
  // These come from a caller's or a team's own step, at any moment.
  const atAnyMoment = ["journey.customer_face_replaced", "delivery.cancelled", "identity.unavailable", "ping"]
  const missing = Object.keys(eventCatalogue).filter((type) => !text.includes(`<code>${type}</code>`))
  expect(missing.toSorted()).toEqual(atAnyMoment.toSorted())
})

describe("the search", () => {
  it.each([
    ["INSUFFICIENT_CREDITS", "/docs/errors/INSUFFICIENT_CREDITS"],
    ["verify webhook", "/docs/guides/webhooks#verifying-a-webhook"],
    ["cancel a journey", "/docs#integrators/tag/journeys/POST/api/v1/journeys/{journeyId}/cancel"],
    ["idempotncy", "/docs/errors/IDEMPOTENCY_KEY_REQUIRED"],
    ["going live", "/docs/guides/going-live#main"]
  ])("for %s finds %s", async (words, address) => {
    const { status, text } = await get(`/docs/search?q=${encodeURIComponent(words)}`)
    expect(status).toBe(200)
    expect(text).toContain(`href="${address}"`)
  })

  it("shows what was asked as text, and says when nothing was found", async () => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script> qqqqzzzz')}`)
    expect(text).not.toContain("<script")
    expect(text).toContain("Nothing has these words")
  })
})

/** The lines of a page that verify a webhook in Node. */
const verifierOf = (page: string): string =>
  /<!-- verify:js -->\s*```js\n(.*?)\n```/s.exec(
    readFileSync(join(import.meta.dirname, "../../../docs", page), "utf8")
  )?.[1] ?? "none"

/** What the receiver of the first guide prints of a signed delivery and of one that is signed with another secret. */
const receives = async (program: string): Promise<ReadonlyArray<string>> => {
  const { body, secret } = signatureExample
  const folder = await mkdtemp(join(tmpdir(), "journeys-receiver-"))
  expect(program).toContain(".listen(4000)")
  const anyPort = ".listen(0, function () { console.log(this.address().port) })"
  await writeFile(join(folder, "receiver.mjs"), program.replace(".listen(4000)", anyPort))
  const server = spawn(process.execPath, ["receiver.mjs"], {
    cwd: folder,
    env: { WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const [port] = (await once(server.stdout, "data")) as [Buffer]
    const prints = async (by: string): Promise<string> => {
      const signature = signatureHeader([signingKey(by)], Math.floor(Date.now() / 1000), body)
      const printed = once(server.stdout, "data") as Promise<[Buffer]>
      const headers = { "Service-Signature": signature }
      await fetch(`http://127.0.0.1:${port.toString().trim()}/hook`, { method: "POST", body, headers })
      return (await printed)[0].toString().trim()
    }
    return [await prints(secret), await prints(`${secret}other`)]
  } finally {
    server.kill()
    await rm(folder, { recursive: true })
  }
}

const typesOf = (content: ReadonlyArray<{ readonly event: { readonly type: string } }>) =>
  content.map(({ event }) => event.type)

it("the examples of the first guide run as they stand, one after the other", async () => {
  const markdown = readFileSync(join(import.meta.dirname, "../../../docs/start.md"), "utf8")
  const blocks = [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "")
  expect(blocks.length).toBeGreaterThan(5)
  const folder = await mkdtemp(join(tmpdir(), "journeys-start-"))
  const { stdout } = await promisify(execFile)("sh", ["-eu", "-c", blocks.join("\n")], {
    cwd: folder,
    env: { ...process.env, BASE: service.baseUrl, KEY: company.testKey }
  })
  const receiver = await readFile(join(folder, "receiver.mjs"), "utf8")
  await rm(folder, { recursive: true })
  for (const line of verifierOf("integrators.md").split("\n")) expect(receiver).toContain(line)
  expect(await receives(receiver)).toEqual(["ping", "refused: not signed with this secret"])
  const answers = stdout
    .split("\n")
    .flatMap((line) => line.split(/(?<=\})(?=\{"success")/))
    .filter((line) => line !== "")
  const [tried, started, told, ended, events] = answers.map((line) => JSON.parse(line))
  expect(answers).toHaveLength(5)
  expect(tried.message).toBe("The start would be accepted")
  expect(started.data).toMatchObject({ externalReference: "deal-1001", status: "ACTIVE" })
  // It waits for the reader, who may take a while: the sandbox has no time at which it goes on by itself.
  expect(told.data.waitingOn[0]).toMatchObject({ on: "CUSTOMER_TO_VERIFY_IDENTITY", expectedBy: null })
  expect(ended.data.status).toBe("COMPLETED")
  // An event is listed once older transactions have ended, and other tests of this PostgreSQL have some: the guide's list may lack the last.
  const listed = await eventually(
    async () =>
      typesOf((await ask(service, company.testKey, `/api/v1/events?journeyId=${started.data.id}`)).data.content),
    (types) => types.at(-1) === "journey.completed"
  )
  expect(listed[0]).toBe("journey.created")
  const inGuide = typesOf(events.data.content)
  expect(inGuide).toEqual(listed.slice(0, inGuide.length))
})
