/**
 * What hostile people try at the console: markup and writing from right to left in every field that is shown, forms of other
 * sites, frames around our pages. Every page and every changing route is tried, from the lists that the service serves.
 */
import type { HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { settings } from "../../../src/http/api/settings.ts"
import { pagesOfConsole } from "../../../src/http/console/consoleRoutes.ts"
import { askSettings } from "../../support/companies.ts"
import { keepAddress } from "../api/settings/caseGround.ts"
import { askAs, filled, startRouteGround, type Answered, type Asking, type RouteGround } from "./everyRouteGround.ts"

/** Nothing of it may stand on a page as it is: neither an element, nor the end of an attribute. */
const markup = `<i data-bad>"'><svg onload=bad()>&amp;`
const arabic = "شركة السيارات"
const hostile = `${arabic} ${markup}`

let ground: RouteGround
beforeAll(async () => {
  ground = await startRouteGround({
    companyName: hostile,
    change: (body) => {
      Object.assign(body, { externalReference: hostile.slice(0, 100), externalCompanyName: hostile })
      Object.assign(body.customer, { firstName: hostile, lastName: hostile })
      Object.assign(body.vehicle, { registration: "<i>شركة</i>\"'", make: hostile.slice(0, 50), model: hostile })
      Object.assign(body.vehicle, { colour: hostile.slice(0, 50) })
      body.delivery = { type: "HOME_DELIVERY", notes: `${hostile}\n${hostile}` }
    }
  })
  const { ids, service } = ground
  const journeyId = ids["journeyId"] ?? ""
  const line = hostile.slice(0, 50)
  await keepAddress(service, journeyId, { buildingName: line, street: line, city: line, postcode: "LS1 4AP" })
  const change = (path: string, method: string, body: unknown) =>
    askSettings(service, `/companies/${ids["companyId"]}${path}`, { method, body })
  const answers = [
    await change(`/api-keys/${ids["keyId"]}`, "PATCH", { name: hostile.slice(0, 50) }),
    await change("", "PATCH", { brand: { hours: hostile } }),
    await change("/wallets/IDENTITY/credits", "POST", { amount: 1, note: hostile }),
    await change(`/vehicles/${encodeURIComponent(line)}`, "PUT", { status: "IN_STOCK" })
  ]
  expect(answers.map(({ errors }) => errors)).toEqual(answers.map(() => null))
})
afterAll(() => ground.service.stop())

const pages = (pagesOfConsole as ReadonlyArray<{ readonly method: string; readonly path: string }>).map(
  ({ method, path }) => ({ method, path })
)
const shown = pages.filter(({ method }) => method === "GET")
const forms = pages.filter(({ method }) => method === "POST")
const changes = (Object.values(settings.endpoints) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>)
  .filter(({ method }) => method !== "GET")
  .map(({ identifier, method, path }) => ({ name: identifier, method, path }))

const isPage = ({ headers }: Answered) => headers.get("content-type")?.startsWith("text/html") === true

/** Everybody who can see something of the broker's journey. */
const everybody: ReadonlyArray<Asking> = ["owner", "team", "operator", "dealer", "nobody"]

const seen = new Map<string, Answered>()
const look = async (who: Asking, path: string): Promise<Answered> => {
  const key = `${who} ${path}`
  const known = seen.get(key)
  if (known !== undefined) return known
  const ids = who === "dealer" ? { ...ground.ids, companyId: ground.dealer.id } : ground.ids
  const answered = await askAs(ground, who, { method: "GET", path: filled(path, ids) })
  seen.set(key, answered)
  return answered
}

describe.each(shown)("the page $path", ({ path }) => {
  it("shows what people wrote as text, and runs nothing that stands in the page", async () => {
    for (const who of everybody) {
      const answered = await look(who, path)
      if (!isPage(answered)) continue
      const { text } = answered
      expect([who, /<i data-bad|<svg onload|<i>شركة|bad\(\)>/.test(text)]).toEqual([who, false])
      expect([who, text.match(/<script(?![^>]*\ssrc=)[^>]*>|\sstyle="|\son[a-z]+="|javascript:/gi)]).toEqual([
        who,
        null
      ])
    }
  })

  it("keeps writing from right to left apart from what stands beside it", async () => {
    for (const who of everybody) {
      const answered = await look(who, path)
      if (!isPage(answered)) continue
      const body = answered.text.replaceAll(
        /<title>[^<]*<\/title>|<h1>[^<]*<\/h1>|<textarea[^>]*>[^<]*|<option[^>]*>[^<]*/g,
        ""
      )
      const stray = Array.from(body.matchAll(/(<[a-z]+[^<>]*>)[^<>]*شركة/g), ([, element = ""]) => element).filter(
        (element) => !/^<(?:bdi|code|pre)\b|dir="auto"|class="unseen"/.test(element)
      )
      expect([who, stray]).toEqual([who, []])
    }
  })

  it("cannot be framed, is kept by no cache, and loads nothing from elsewhere", async () => {
    for (const who of everybody) {
      const { headers, status } = await look(who, path)
      const policy = headers.get("content-security-policy") ?? ""
      expect([who, status, policy]).toEqual([who, status, expect.stringContaining("frame-ancestors 'none'")])
      expect(policy).toMatch(/^default-src 'none'/)
      const strict = path === framesMail ? policy.replace("style-src 'self' 'unsafe-inline'", "") : policy
      expect(strict).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cache-control")).toContain("no-store")
    }
  })
})

it("has shown the hostile words on pages of every kind", () => {
  const showing = [...seen].filter(([, answered]) => answered.text.includes("&lt;i data-bad&gt;")).map(([key]) => key)
  expect(showing).toContain("dealer /console/handovers/:journeyId")
  expect(showing).toContain("owner /console")
  expect(showing.length).toBeGreaterThan(5)
})

const forgeries: ReadonlyArray<
  readonly [name: string, how: { readonly token?: string; readonly headers?: Readonly<Record<string, string>> }]
> = [
  ["without a token", { token: "" }],
  ["with another session's token", { token: "A".repeat(43) }],
  ["from another origin", { headers: { origin: "https://elsewhere.example" } }],
  ["from another site", { headers: { "sec-fetch-site": "cross-site" } }],
  ["from a neighbour's site", { headers: { "sec-fetch-site": "same-site" } }]
]

const isSignIn = ({ path }: { readonly path: string }) => /^\/console\/(?:operator\/)?sign-in/.test(path)
/** The operator sees mails as their readers do, each in a frame whose own styles come with the mail. */
const framesMail = "/console/operator/mailbox"

const auditNow = async () => {
  const of = (id: string) => askSettings(ground.service, `/companies/${id}/audit?size=100`)
  return (await Promise.all([ground.broker.id, ground.dealer.id].map(of))).map(({ data }) => data.content)
}

describe.each(forms.filter((form) => !isSignIn(form)))("the form $path", ({ path }) => {
  it.each(forgeries)("is refused %s, and changes nothing", async (_, how) => {
    const before = await auditNow()
    const rightful = path.startsWith("/console/operator") ? "operator" : "owner"
    for (const who of ["owner", "operator"] as const) {
      const to = filled(path, ground.ids)
      const answered = await askAs(ground, who, { method: "POST", path: to, isForm: true, ...how })
      // Whose form it is not is led elsewhere, or finds nothing.
      expect([who, answered.status]).toEqual([who, who === rightful ? 403 : expect.toBeOneOf([303, 403, 404])])
    }
    expect(await auditNow()).toEqual(before)
  })
})

describe.each(changes)("the operation $name", ({ method, path }) => {
  it.each(forgeries)("is refused to a browser %s, and changes nothing", async (_, how) => {
    const before = await auditNow()
    for (const who of ["owner", "operator"] as const) {
      const answered = await askAs(ground, who, { method, path: filled(path, ground.ids), ...how })
      expect([who, answered.status, JSON.parse(answered.text).errors[0].code]).toEqual([who, 403, "REQUEST_FORGED"])
    }
    expect(await auditNow()).toEqual(before)
  })
})

describe.each(forms.filter(isSignIn))("the form $path", ({ path }) => {
  it("is refused to another site", async () => {
    for (const headers of [{ origin: "https://elsewhere.example" }, { "sec-fetch-site": "cross-site" }]) {
      const answered = await askAs(ground, "nobody", { method: "POST", path: filled(path), isForm: true, headers })
      expect(answered.status).toBeGreaterThanOrEqual(300)
      expect(answered.headers.getSetCookie().filter((cookie) => cookie.startsWith("journeys-console="))).toEqual([])
    }
  })
})
