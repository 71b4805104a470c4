/**
 * The surroundings of live journeys: the service with a mail server, a finance panel, an identity provider with its
 * page, a receiver of webhooks, three companies, and one browser for all customers, whose camera shows one face at a time.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { filmOfScenes, filmOfTurns, moving } from "../http/app/camera.ts"
import { cameraFlags } from "../http/app/phone.ts"
import { openBrowser, type Browser } from "../http/documents/browser.ts"
import { askSettings, makeCompany, type TestCompany } from "../support/companies.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../support/fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "../support/fakePanel.ts"
import { freePort } from "../support/freePort.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { facePhoto } from "../support/photos.ts"
import { startReceiver, type Receiver } from "../support/receivers.ts"
import { startLookingService, type Service } from "../support/service.ts"
import type { HeadTurn } from "../../src/schema/media/headTurns.ts"
import { turningVideo } from "../support/videos.ts"

const pictures = fileURLToPath(new URL("../output/live", import.meta.url))

export interface Ground {
  readonly service: Service
  readonly mail: MailServer
  readonly panel: FakePanel
  readonly provider: FakeIdentityProvider
  readonly receiver: Receiver
  /** The company whose customers the service checks itself. */
  readonly here: TestCompany
  /** The company whose customers a provider checks. */
  readonly outside: TestCompany
  /** A company like `here` that writes to its customers in Polish. */
  readonly polish: TestCompany
  readonly browser: Browser
  /** Paths of files on the customers' telephones. */
  readonly photo: string
  /** A card with the face of the photo on it. */
  readonly document: string
  /** From now on the camera shows the face ahead, then turned to these sides, from the moment on in which somebody opens the camera. */
  readonly turnBeforeCamera: (turns: ReadonlyArray<HeadTurn>) => Promise<void>
  /** A video in which the face turns to these sides. */
  readonly videoOf: (turns: ReadonlyArray<HeadTurn>) => Promise<string>
  readonly stop: () => Promise<void>
}

/** The address to which the provider sends customers, and from which they come back. */
const partnersPage = (baseUrl: string) =>
  `<!doctype html><title>Partner</title><h1>The partner's check</h1><a href="${baseUrl}/app/journey">Back</a>`

const faceAhead = () =>
  // As near as the camera of the identity check wants a face.
  filmOfScenes([{ photo: facePhoto(), fills: 0.45, ...moving }], { width: 960, height: 720, framesPerSecond: 10 })

export const prepareGround = async (chromium: string): Promise<Ground> => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`
  const mail = await startMailServer()
  const panel = await startFakePanel()
  const provider = await startFakeIdentityProvider()
  const partner = await startReceiver((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(partnersPage(baseUrl))
  )
  provider.answerWith(JSON.stringify({ url: partner.url }))
  const receiver = await startReceiver()
  const service = await startLookingService({
    PORT: new URL(baseUrl).port,
    BASE_URL: baseUrl,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>",
    RATE_LIMIT_PER_MINUTE: "1000000",
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  const company = async (identityProvider: object, language = "en") => {
    const settings = { identityProvider, language, financePanel: panel.settings }
    const made = await makeCompany(service, { credits: 10, adminEmail: "owner@harbour.example", settings })
    const webhooks = { method: "PUT", body: { url: receiver.url } }
    const { success } = await askSettings(service, `/companies/${made.id}/webhook-endpoints/live`, webhooks)
    if (!success) throw new Error("the company has no webhooks")
    return made
  }
  const [here, outside] = [await company({ kind: "BUILT_IN" }), await company(provider.settings)]
  const polish = await company({ kind: "BUILT_IN" }, "pl")
  const folder = await mkdtemp(join(tmpdir(), "journeys-live-"))
  const film = join(folder, "face.y4m")
  await writeFile(film, faceAhead())
  await rm(pictures, { recursive: true, force: true })
  const browser = await openBrowser(chromium, cameraFlags(film))
  return {
    service,
    mail,
    panel,
    provider,
    receiver,
    here,
    outside,
    polish,
    browser,
    photo: fileURLToPath(new URL("../fixtures/photos/face.jpg", import.meta.url)),
    document: fileURLToPath(new URL("../fixtures/photos/document.jpg", import.meta.url)),
    // Chromium reads the film anew whenever a page opens the camera.
    turnBeforeCamera: async (turns) => writeFile(film, filmOfTurns(turns)),
    videoOf: async (turns) => {
      const video = join(folder, `${turns.join("-")}.mp4`)
      await writeFile(video, await turningVideo(turns))
      return video
    },
    stop: async () => {
      await browser.close()
      await service.stop()
      await Promise.all([mail, panel, provider, partner, receiver].map((one) => one.stop()))
      await rm(folder, { recursive: true })
    }
  }
}
