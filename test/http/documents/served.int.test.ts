/** The documents over HTTP: what is served, and that the page needs and may reach nobody else. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type Service } from "../../support/service.ts"
import { openApiPaths, type Public } from "../../../src/http/api/contract.ts"
import { documents, webhooks } from "./document.ts"

const publics = Object.entries(openApiPaths) as ReadonlyArray<readonly [Public, string]>

const publicAddress = "https://journeys.example"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: publicAddress })
})
afterAll(() => service.stop())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.baseUrl}${path}`, { headers })

/** The answer as it came over the wire; `fetch` would unpack it. */
const packed = async (path: string, acceptEncoding: string, etag?: string) => {
  const headers = { "accept-encoding": acceptEncoding, ...(etag === undefined ? {} : { "if-none-match": etag }) }
  const [answer] = await once(request(`${service.baseUrl}${path}`, { headers }).end(), "response")
  const { headers: answered, statusCode } = answer
  return {
    status: statusCode,
    encoding: answered["content-encoding"],
    etag: answered["etag"],
    vary: answered["vary"],
    body: await buffer(answer)
  }
}

describe.each(publics)("the document for %s", (name, path) => {
  it("is served, open to everyone, with the address of this installation", async () => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    const { servers, ...rest } = (await response.json()) as {
      readonly servers: ReadonlyArray<{ readonly url: string }>
    }
    expect(servers.map(({ url }) => url)).toEqual([publicAddress])
    const { servers: _, ...expected } = JSON.parse(JSON.stringify(documents[name])) as typeof documents.settings
    expect(rest).toEqual(expected)
  })
})

describe.each(["/openapi.json", "/openapi/callbacks.json", "/docs"])("GET %s", (path) => {
  it("answers 304 to whoever has the present version", async () => {
    const present = await get(path)
    await present.text()
    const etag = present.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\w-]{43}-(?:br|gzip)"$/)
    const known = await get(path, { "if-none-match": `"other", W/${etag}` })
    expect(known.status).toBe(304)
    expect(await known.text()).toBe("")
    const changed = await get(path, { "if-none-match": '"other"' })
    expect(changed.status).toBe(200)
    await changed.text()
  })

  it("comes packed as the client can unpack it, and under another tag for each packing", async () => {
    const plain = await packed(path, "identity")
    const gzip = await packed(path, "gzip;q=0.5, br;q=0")
    const br = await packed(path, "gzip, br")
    expect([plain.encoding, gzip.encoding, br.encoding]).toEqual([undefined, "gzip", "br"])
    expect([gunzipSync(gzip.body), brotliDecompressSync(br.body)]).toEqual([plain.body, plain.body])
    expect(br.body.length * 3).toBeLessThan(plain.body.length)
    expect(new Set([plain.etag, gzip.etag, br.etag]).size).toBe(3)
    expect(br.vary).toBe("accept-encoding")
    expect((await packed(path, "gzip", gzip.etag)).status).toBe(304)
    expect((await packed(path, "identity", gzip.etag)).status).toBe(200)
  })

  it("refuses other methods with what is allowed", async () => {
    const response = await fetch(`${service.baseUrl}${path}`, { method: "POST" })
    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toContain("GET")
  })
})

describe("the page at /docs", () => {
  let html: string
  let policy: ReadonlyMap<string, ReadonlyArray<string>>
  const scripts = () => [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? "")

  beforeAll(async () => {
    const response = await get("/docs")
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    html = await response.text()
    const directives = (response.headers.get("content-security-policy") ?? "").split("; ")
    policy = new Map(directives.map((directive) => [directive.split(" ")[0] ?? "", directive.split(" ").slice(1)]))
  })

  it("holds all documents whole", () => {
    const inline = scripts().at(-1) ?? ""
    for (const { paths } of Object.values(documents)) {
      for (const path of Object.keys(paths)) expect(inline).toContain(JSON.stringify(path))
    }
    for (const type of Object.keys(webhooks)) expect(inline).toContain(JSON.stringify(type))
  })

  it("loads nothing: no element of it has an address", () => {
    const markup = html.replaceAll(/<script>[\s\S]*?<\/script>/g, "")
    expect(markup).toContain('<div id="api-reference-container">')
    expect(markup).not.toMatch(/\ssrc=|\shref=|url\(|@import/)
  })

  it("has a policy that allows nothing from another host", () => {
    expect(policy.get("default-src")).toEqual(["'none'"])
    for (const [directive, sources] of policy) {
      for (const source of sources) {
        expect(source, directive).toMatch(/^(?:'none'|'self'|'unsafe-inline'|data:|'sha256-[\w+/]{43}=')$/)
      }
    }
  })

  it("allows its own two scripts, by their hashes, and no other", () => {
    const hashes = scripts().map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    expect(hashes).toHaveLength(2)
    expect(policy.get("script-src")).toEqual(hashes)
  })

  it("may not be framed, send a form elsewhere or change its base", () => {
    for (const directive of ["frame-ancestors", "form-action", "base-uri"])
      expect(policy.get(directive)).toEqual(["'none'"])
  })

  it("turns off what of Scalar talks to others", () => {
    const inline = scripts().at(-1) ?? ""
    for (const setting of [
      '"withDefaultFonts":false',
      '"telemetry":false',
      '"hideClientButton":true',
      '"showDeveloperTools":"never"'
    ]) {
      expect(inline).toContain(setting)
    }
  })
})
