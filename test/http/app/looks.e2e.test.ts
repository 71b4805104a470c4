/**
 * The customer's app in a real browser at the size of a telephone, with its screenshots. Skipped, by name, where there is
 * no Chromium; in CI that is a failure.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { facePhoto } from "../../support/photos.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium } from "../documents/browser.ts"
import { filmOf } from "./camera.ts"
import { newLink } from "./CustomerBrowser.ts"
import { openPhone, type Phone } from "./phone.ts"

const fileOf = (photo: string) => fileURLToPath(new URL(`../../fixtures/photos/${photo}.jpg`, import.meta.url))
const [faceFile, documentFile] = [fileOf("face"), fileOf("document")]

const offline = (isOffline: boolean) => ({
  offline: isOffline,
  latency: 0,
  downloadThroughput: -1,
  uploadThroughput: -1
})

const isCi = process.env["CI"] === "true"

const patience = { timeout: 180_000 }

describe.skipIf(chromium === undefined && !isCi)("the customer's app on a telephone, in Chromium", patience, () => {
  let service: Service
  let company: TestCompany
  let phone: Phone
  let folder: string | undefined

  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    service = await startService()
    company = await makeCompany(service, {
      name: "Harbour Cars",
      credits: 100,
      settings: { identityProvider: { kind: "BUILT_IN" } }
    })
    // A camera that shows one face: a film of the same photo.
    folder = await mkdtemp(join(tmpdir(), "journeys-camera-"))
    const film = join(folder, "face.y4m")
    await writeFile(film, filmOf(facePhoto()))
    phone = await openPhone(chromium, service.baseUrl, film)
  })
  afterAll(async () => {
    await phone?.close()
    await service?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  const startOf = async (
    shape: "CASH_SALE" | "FINANCE_SALE",
    change: (body: ReturnType<typeof startBody>) => void = () => {},
    key?: string
  ) => {
    const body = startBody(shape)
    change(body)
    const answer =
      shape === "CASH_SALE"
        ? await start(service, key ?? company.liveKey, body)
        : await startWithPhoto(service, key ?? company.liveKey, body)
    expect(answer.status).toBe(202)
    return answer.data.id as string
  }

  const signedIn = async (link: string) => {
    await phone.open(link)
    await phone.press("Continue")
    await phone.waitFor("Your steps")
  }

  const shootBoth = async (name: string) => {
    await phone.shoot(name)
    await phone.dark(true)
    await phone.shoot(`${name}-dark`)
    await phone.dark(false)
    expect(await phone.fits(), name).toBe(true)
  }

  /** The notice before a camera, and the way past it. */
  const agrees = async (step: string): Promise<void> => {
    await phone.waitFor("How long it is kept")
    await shootBoth(`consent-${step}`)
    await phone.press("I agree")
  }

  it("leads from the link to the identity check; a look with scripts spends nothing", async () => {
    const journeyId = await startOf("CASH_SALE")
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    await phone.open(link)
    await phone.open(link)
    expect(await service.query("select from sign_in_links where used_at is not null")).toEqual([])
    await shootBoth("link")
    await phone.press("Continue")
    await phone.waitFor("Your steps")
    await shootBoth("journey")
    await phone.press("Start")
    await agrees("identity")
    await phone.waitFor("Photo of your face")
    await shootBoth("identity")
    await phone.command("Network.clearBrowserCookies")
    await phone.open(link)
    await phone.waitFor("This link has ended")
    await shootBoth("link-ended")
    await phone.press("Mail me a new link")
    await phone.waitFor("Check your email")
    await shootBoth("link-mailed")
  })

  it("asks for the address where none is on file, and ties problems to their fields", async () => {
    const journeyId = await startOf("FINANCE_SALE", (body) => (body.delivery.type = "HOME_DELIVERY"))
    await signedIn(await newLink(service, journeyId, "CONFIRM_ADDRESS"))
    await phone.press("Continue")
    await phone.waitFor("Where is your vehicle to be handed over?")
    await phone.press("Deliver to this address")
    await phone.waitFor("Please look at 4 fields again")
    await shootBoth("address-problems")
    expect(
      await phone.evaluate(
        `document.getElementById(document.getElementById("street").getAttribute("aria-describedby")).innerText`
      )
    ).toContain("Street is required")
  })

  it("shows the recorder", async () => {
    const journeyId = await startOf("FINANCE_SALE", (body) => (body.delivery.type = "IN_STORE"))
    await signedIn(await newLink(service, journeyId, "RECORD_VIDEO"))
    await shootBoth("journey-video")
    await phone.press("Continue")
    await phone.waitFor("Use the camera")
    await shootBoth("video")
    await phone.press("Use the camera")
    await phone.waitFor("Start recording")
    await shootBoth("video-camera")
    await phone.press("Start recording")
    await phone.waitFor("Recording: 2 of")
    await phone.press("Stop")
    await phone.waitFor("Send this video")
    await shootBoth("video-recorded")
  })

  it("leads a person through a cash sale to its end, over a connection that breaks", { timeout: 240_000 }, async () => {
    const journeyId = await startOf("CASH_SALE")
    await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    await phone.press("Start")
    await agrees("identity")
    await phone.waitFor("Photo of your face")
    await phone.choose("#documentPhoto", documentFile)
    await phone.choose("#selfie", faceFile)
    await phone.waitFor("Both photos are ready")
    await shootBoth("identity-chosen")
    await phone.press("Check my photos")
    await phone.waitFor("Thank you, that is you")
    await shootBoth("identity-verified")
    await phone.press("See where your purchase stands")
    await phone.waitFor("Confirm the delivery address")
    await shootBoth("journey-address")
    await phone.press("Continue")
    await phone.waitFor("We have no address on file")
    for (const [id, value] of [
      ["buildingNumber", "14"],
      ["street", "Station Approach"],
      ["city", "Leeds"],
      ["postcode", "LS1 4DY"]
    ]) {
      await phone.evaluate(`document.getElementById("${id}").value = "${value}"`)
    }
    await phone.press("Deliver to this address")
    await phone.waitFor("Record the handover video")
    await phone.press("Continue")
    await agrees("video")
    await phone.waitFor("Use the camera")
    await phone.press("Use the camera")
    await phone.waitFor("Start recording")
    await phone.press("Start recording")
    await phone.waitFor("Recording: 3 of")
    await phone.press("Stop")
    await phone.waitFor("Send this video")
    await phone.shoot("video-face")
    await phone.command("Network.emulateNetworkConditions", offline(true))
    await phone.press("Send this video")
    await phone.waitFor("Trying again")
    await phone.shoot("video-offline")
    await phone.command("Network.emulateNetworkConditions", offline(false))
    await phone.until(`location.pathname === "/app/journey"`)
    await phone.shoot("journey-checking")
    // The film of the camera turns no head: a person looks at it.
    const reviews = `/companies/${company.id}/reviews`
    const found = await eventually(
      async () =>
        (await askSettings(service, reviews)).data.content?.find(
          ({ journeyId: of }: { readonly journeyId: string }) => of === journeyId
        ),
      (review) => review !== undefined,
      120_000
    )
    expect(found.reasons).toEqual(["TURNS_NOT_SEEN"])
    const body = { decision: "APPROVE", reason: "known in the shop" }
    expect((await askSettings(service, `${reviews}/${found.id}/decision`, { body })).status).toBe(200)
    const { data } = await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`)
    expect(data.status).toBe("COMPLETED")
    await phone.open("/app/journey")
    await phone.waitFor("Your handover is complete")
    await shootBoth("journey-complete")
  })

  it("shows a test journey as one", async () => {
    const journeyId = await startOf(
      "CASH_SALE",
      (body) => (body.customer.email = "a+never@example.com"),
      company.testKey
    )
    await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    await phone.waitFor("Simulate the identity check")
    await shootBoth("test-journey")
  })

  it("has a page for what does not exist", async () => {
    await phone.open("/app/nothing-here")
    await phone.waitFor("There is no such page")
    await shootBoth("no-such-page")
  })

  it("has asked no other host for anything, and met no error or refusal of its policy", () => {
    const outside = phone.requested.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && new URL(url).origin !== new URL(service.baseUrl).origin
    )
    expect(outside).toEqual([])
    expect(phone.complaints).toEqual([])
  })
})
