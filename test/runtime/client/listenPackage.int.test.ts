/** `listen` as the package for Node brings it: installed without a network, begun as README says, and run against a real service and a real receiver. */
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { verifyWebhook } from "../../../src/actors/webhook/verifier.js"
import { makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { startCommand, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { startReceiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { clientGround, otherNodes, readmes, type ClientGround } from "./clientGround.ts"

let ground: ClientGround
let service: Service
let company: TestCompany
beforeAll(async () => {
  ground = await clientGround()
  service = await startService({ SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
  company = await makeCompany(service)
})
afterAll(async () => {
  await service?.stop()
  await ground?.remove()
})

/** The command as README and the pages show it, from its name on. */
const shownIn = async (page: string): Promise<string> => {
  const text = await readFile(page, "utf8")
  return /^(?:JOURNEYS_\S+ ){0,2}npx --no @journeys\/client (listen .*)$/m.exec(text)?.[1] ?? expect.fail(page)
}

/** The command of the README, to a receiver of this test. */
const listening = async (node: string, url: string, home: string): Promise<MainProcess> => {
  const { testKey } = company
  const line = (await shownIn(readmes.ts)).replace(/http:\S+/, url)
  const program = startCommand(node, ["node_modules/.bin/journeys-client", ...line.split(" ")], {
    cwd: ground.folder,
    environment: { JOURNEYS_URL: service.baseUrl, JOURNEYS_KEY: testKey, HOME: home }
  })
  await program.printed(/Ctrl-C stops/)
  return program
}

describe("the program of the package for Node", () => {
  it("is shown with the same flags by README and by the pages docs/integrators.md and docs/start.md", async () => {
    const pages = [readmes.ts, "docs/integrators.md", "docs/start.md"]
    const shown = await Promise.all(pages.map(shownIn))
    expect(new Set(shown.map((line) => line.replace(/http:\S+/, "")))).toEqual(new Set(["listen --forward-to "]))
  })

  it("is found by npx, as README shows, without network", async () => {
    const { code, stdout } = await ground.run("npx", ["--no", "@journeys/client", "listen", "--help"], {
      npm_config_offline: "true"
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining("npx --no @journeys/client listen --forward-to URL")])
  })

  const nodes = [{ version: process.version, command: process.execPath }, ...otherNodes]
  it.each(nodes)(
    "brings signed events to a local server, on Node $version, and goes on where it stopped",
    async ({ command }) => {
      const home = await temporaryFolder()
      const to = await startReceiver()
      const secrets = new Set<string>()
      try {
        for (const round of [1, 2]) {
          const program = await listening(command, to.url, home.path)
          await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))
          const received = await to.arrived(round, 30_000)
          const { stderr, stdout } = await program.stop("SIGINT")
          const secret = /whsec_\S+/.exec(stdout)?.[0] ?? ""
          secrets.add(secret)
          for (const { body, headers } of received) verifyWebhook({ body, headers, secret })
          expect(stdout).toContain(round === 1 ? "It begins with the next event." : "It goes on where it stopped.")
          expect(stderr).toBe("")
        }
        expect(secrets.size).toBe(1)
        const states = join(home.path, ".journeys/listen")
        const [file = ""] = await readdir(states)
        expect((await stat(join(states, file))).mode & 0o777).toBe(0o600)
      } finally {
        await to.stop()
        await home.remove()
      }
    }
  )
})
