/** The brand of a company as the operator sets it, and the logo and the style sheet that pages load of it. */
import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { decodePhoto } from "../../../../src/runtime/faces/photos/decodePhoto.ts"
import { imageHeader } from "../../../../src/schema/media/imageHeader.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { base64, logoOf, noisyLogo, withHiddenWords } from "../../../support/logos.ts"
import { facePhoto, withSegment } from "../../../support/photos.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const nothing = { logo: null, colour: null, telephone: null, hours: null, returnUrl: null, hoursIn: {} }

const patch = (id: string, brand: unknown) =>
  askSettings(service, `/companies/${id}`, { method: "PATCH", body: { brand } })
const logoAt = async (digest: string) => {
  const response = await fetch(`${service.baseUrl}/app/logo/${digest}`)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

it("begins empty, takes what is sent and keeps the rest, and null takes a part away", async () => {
  const { id } = await makeCompany(service)
  expect((await askSettings(service, `/companies/${id}`)).data.brand).toEqual(nothing)
  const set = {
    colour: "#1A56ab",
    telephone: "+44 (113) 496-0000",
    hours: "Monday to Friday, 9 to 17\nSaturday, 10 to 14",
    returnUrl: "https://harbourcars.example/thank-you?from=journey"
  }
  expect((await patch(id, set)).data.brand).toEqual({ ...nothing, ...set })
  expect((await patch(id, { colour: "#000000" })).data.brand).toEqual({ ...nothing, ...set, colour: "#000000" })
  expect((await patch(id, { hours: null, returnUrl: null })).data.brand).toEqual({
    ...nothing,
    colour: "#000000",
    telephone: set.telephone
  })
})

it("has hours for readers of a language, each of which is set and taken away by itself", async () => {
  const { id } = await makeCompany(service)
  const hoursIn = async (brand: unknown) => (await patch(id, brand)).data.brand.hoursIn
  expect(await hoursIn({ hours: "Monday", hoursIn: { pl: "Poniedziałek\nWtorek" } })).toEqual({
    pl: "Poniedziałek\nWtorek"
  })
  expect(await hoursIn({ hoursIn: { cy: "Dydd Llun", ro: null } })).toEqual({
    cy: "Dydd Llun",
    pl: "Poniedziałek\nWtorek"
  })
  expect(await hoursIn({ hoursIn: { pl: null } })).toEqual({ cy: "Dydd Llun" })
  expect(await hoursIn({ hours: null })).toEqual({ cy: "Dydd Llun" })
})

it("of before there were hours for a language goes on as it was, and takes them", async () => {
  const { id } = await makeCompany(service)
  await patch(id, { hours: "Monday", colour: "#123456" })
  await service.query("update companies set brand = (brand::jsonb - 'hoursIn')::json where id = $1", [id])
  const before = { ...nothing, hours: "Monday", colour: "#123456" }
  expect((await askSettings(service, `/companies/${id}`)).data.brand).toEqual(before)
  expect((await patch(id, { hoursIn: { ro: "Luni" } })).data.brand).toEqual({ ...before, hoursIn: { ro: "Luni" } })
})

describe("a logo", () => {
  it("is decoded and encoded anew, keeps its transparency, and nothing hidden in it survives", async () => {
    const { id } = await makeCompany(service)
    const sent = withHiddenWords(logoOf(600, 300), "hidden-canary")
    expect(sent.includes("hidden-canary")).toBe(true)
    const { data, status } = await patch(id, { logo: base64(sent) })
    expect(status).toBe(200)
    expect(data.brand.logo).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: "image/png",
      width: 288,
      height: 144
    })
    const { bytes, headers, status: shown } = await logoAt(data.brand.logo.digest)
    expect(shown).toBe(200)
    expect(hash("sha256", bytes)).toBe(data.brand.logo.digest)
    expect(Buffer.from(bytes).includes("hidden-canary")).toBe(false)
    expect(imageHeader(bytes)).toEqual({ type: "PNG", width: 288, height: 144 })
    expect(headers.get("content-type")).toBe("image/png")
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("set-cookie")).toBeNull()
    expect(cornerAndMiddle(bytes)).toEqual([
      [255, 255, 255],
      [200, 40, 40]
    ])
  })

  it("that is a JPEG stays one, without its comments", async () => {
    const { id } = await makeCompany(service)
    const { data } = await patch(id, { logo: base64(withSegment(facePhoto(), 0xfe, "hidden-canary")) })
    expect(data.brand.logo).toMatchObject({ type: "image/jpeg", height: 144 })
    const { bytes } = await logoAt(data.brand.logo.digest)
    expect(Buffer.from(bytes).includes("hidden-canary")).toBe(false)
    expect(imageHeader(bytes)).toMatchObject({ type: "JPEG", height: 144 })
  })

  it("stays when another company takes its own away", async () => {
    const [{ id }, other] = [await makeCompany(service), await makeCompany(service)]
    const { data } = await patch(other.id, { logo: base64(logoOf(24, 24)) })
    await patch(id, { logo: base64(logoOf(28, 28)) })
    await patch(id, { logo: null })
    expect((await logoAt(data.brand.logo.digest)).status).toBe(200)
  })

  it("goes when another one comes, and when it is taken away; the audit log has digests and no images", async () => {
    const { id } = await makeCompany(service)
    const digestOf = async (logo: string | null) => (await patch(id, { logo })).data.brand.logo?.digest
    const first = await digestOf(base64(logoOf(20, 20)))
    const second = await digestOf(base64(logoOf(20, 20, [0, 90, 200])))
    expect(second).not.toBe(first)
    expect([(await logoAt(first)).status, (await logoAt(second)).status]).toEqual([404, 200])
    expect(await digestOf(null)).toBeUndefined()
    expect((await logoAt(second)).status).toBe(404)
    expect(await service.query("select from company_logos where company_id = $1", [id])).toEqual([])
    const audit = await askSettings(service, `/companies/${id}/audit`)
    const values = audit.data.content.flatMap(({ details }: { details: { values?: { brand?: unknown } } }) =>
      details.values?.brand === undefined ? [] : [details.values.brand]
    )
    expect(values).toEqual([
      { logo: null },
      { logo: { digest: second, type: "image/png", width: 20, height: 20 } },
      { logo: { digest: first, type: "image/png", width: 20, height: 20 } }
    ])
  })

  it.each([
    ["words", "no image", "must be a PNG or JPEG image in base64"],
    ["base64 of words", base64(Buffer.from("no image at all")), "must be a JPEG or PNG image"],
    ["a data URL", `data:image/png;base64,${base64(logoOf(8, 8))}`, "must be a PNG or JPEG image in base64"],
    ["half of an image", base64(logoOf(64, 64).subarray(0, 80)), "must be a whole and undamaged PNG image"],
    ["a long strip", base64(logoOf(1601, 1)), "must be at most 1600 pixels wide and high"],
    ["too many details", base64(noisyLogo(220, 144)), "has too many details for a logo"],
    ["too many bytes", base64(Buffer.alloc(256 * 1024 + 1)), "must be an image of at most 256 KB"],
    ["an object", { digest: "0".repeat(64) }, "must be null, or a PNG or JPEG image in base64"]
  ])("that is %s is refused, and nothing changes", async (_, logo, rule) => {
    const { id } = await makeCompany(service)
    const answer = await patch(id, { logo, colour: "#123456" })
    expect([answer.status, answer.errors?.map(({ field }) => field)]).toEqual([400, ["brand.logo"]])
    expect(answer.errors?.[0]?.message).toContain(`brand.logo ${rule}`)
    expect((await askSettings(service, `/companies/${id}`)).data.brand).toEqual(nothing)
    expect(await service.query("select from company_logos where company_id = $1", [id])).toEqual([])
  })

  it("in a body of more than 512 KB is refused before it is read", async () => {
    const { id } = await makeCompany(service)
    const answer = await patch(id, { logo: "A".repeat(520 * 1024) })
    expect([answer.status, answer.errors?.[0]?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })
})

it.each([
  [{ colour: "red" }, ["brand.colour"]],
  [{ colour: "#12345" }, ["brand.colour"]],
  [{ colour: "#12345g" }, ["brand.colour"]],
  [{ telephone: "0113 496 0000" }, ["brand.telephone"]],
  [{ telephone: "+44 12" }, ["brand.telephone"]],
  [{ telephone: "+44 1134 960000 9999 99" }, ["brand.telephone"]],
  [{ telephone: "+44113;ext=1" }, ["brand.telephone"]],
  [{ hours: "x".repeat(401) }, ["brand.hours"]],
  [{ hours: Array.from({ length: 9 }, () => "Monday").join("\n") }, ["brand.hours"]],
  [{ hours: "Monday\u0001" }, ["brand.hours"]],
  [{ hoursIn: { pl: "x".repeat(401), cy: "www.evil.example" } }, ["brand.hoursIn.cy", "brand.hoursIn.pl"]],
  [{ hoursIn: { de: "Montag" } }, ["brand.hoursIn.de"]],
  [{ hoursIn: null }, ["brand.hoursIn"]],
  [{ returnUrl: "http://harbourcars.example" }, ["brand.returnUrl"]],
  [{ returnUrl: "javascript:alert(1)" }, ["brand.returnUrl"]],
  [{ returnUrl: "https://user:word@harbourcars.example" }, ["brand.returnUrl"]],
  [{ returnUrl: "https://localhost/x" }, ["brand.returnUrl"]],
  [{ returnUrl: `https://harbourcars.example/${"x".repeat(480)}` }, ["brand.returnUrl"]],
  [{ font: "Arial", colour: 7 }, ["brand.font", "brand.colour"]],
  [null, ["brand"]],
  ["#123456", ["brand"]]
])("refuses a brand that breaks a rule: %j", async (brand, fields) => {
  const { id } = await makeCompany(service)
  const answer = await patch(id, brand)
  expect([answer.status, answer.errors?.map(({ field }) => field)]).toEqual([400, fields])
})

describe("the files of a brand", () => {
  it("hold a style sheet for a colour, in its readable shades, for light and dark", async () => {
    const response = await fetch(`${service.baseUrl}/app/brand/ffd400.0000000000000000.css`)
    expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8")
    const sheet = await response.text()
    expect(sheet).toMatch(
      /^:root \{ --accent: #[0-9a-f]{6}; --on-accent: #ffffff; \}\n@media \(prefers-color-scheme: dark\) \{\n {2}:root \{ --accent: #ffd400; --on-accent: #000000; \}\n\}\n$/
    )
  })

  it.each(["/app/brand/red.css", "/app/brand/ffd400%7D.x.css", "/app/logo/none", `/app/logo/${"0".repeat(64)}`])(
    "do not exist where nobody has such a brand: %s",
    async (path) => {
      expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(404)
    }
  )
})

/** The colours of the first and of the middle pixel, on white. */
const cornerAndMiddle = (image: Uint8Array) => {
  const decoded = decodePhoto(image)
  if ("problem" in decoded) throw new Error(decoded.problem)
  const { height, pixels, width } = decoded
  const colourAt = (at: number) => Array.from(pixels.subarray(at, at + 3))
  return [colourAt(0), colourAt((Math.floor(height / 2) * width + Math.floor(width / 2)) * 3)]
}
