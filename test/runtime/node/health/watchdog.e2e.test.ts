/** A process that lives and makes no progress ends itself with a message (FAULT-17). Who is not to blame: `Watchdog.test.ts`. */
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeCompany, start, startBody } from "../../../support/companies.ts"
import { listening, mainScript, startProgram, temporaryFolder } from "../../../support/processes.ts"
import { freshDatabase, operatorToken } from "../../../support/service.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** The service with a script of this folder loaded before it, once it listens. */
const startWith = async (script: string) => {
  const folder = await temporaryFolder()
  ends.push(folder.remove)
  const main = startProgram("--import", [join(import.meta.dirname, script), mainScript], {
    cwd: folder.path,
    environment: {
      PORT: "0",
      DATABASE_URL: await freshDatabase(),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      SANDBOX_STEP: "100 millis"
    }
  })
  ends.push(() => main.stop("SIGKILL"))
  const [, baseUrl = ""] = await main.printed(listening)
  return { main, baseUrl }
}

// Each waits half a minute for an end that comes late by intention: both at once.
describe.concurrent("a process without progress", () => {
  it("whose actors do not answer says what it saw and ends with exit code 70", { timeout: 120_000 }, async () => {
    const { baseUrl, main } = await startWith("deafActors.ts")
    const company = await makeCompany({ baseUrl })
    const { data } = await start({ baseUrl }, company.testKey, startBody("IDENTITY_DELIVERY"))
    const { code, stderr, stdout } = await main.ended
    expect([code, stderr]).toEqual([70, expect.stringMatching(/^No progress: 1 journeys .* actors do not answer.*\n$/)])
    const fatal = stdout.split("\n").filter((line) => line.includes('"FATAL"'))
    expect(fatal).toHaveLength(1)
    expect(fatal[0]).toContain(`journey ${data.id}`)
  })

  it("whose event loop stands still is ended, with a line that says so", { timeout: 60_000 }, async () => {
    const { baseUrl, main } = await startWith("standstill.ts")
    expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200)
    const { code, stderr } = await main.stop("SIGUSR2")
    // Ended by a signal, so there is no code.
    expect([code, stderr]).toEqual([null, "The event loop has stood still for 20 s: the process ends itself\n"])
  })
})
