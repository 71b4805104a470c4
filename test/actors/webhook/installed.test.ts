/**
 * `journeys/webhooks` as a receiver has it: packed by npm, unpacked into its node_modules, where Node strips no types,
 * and imported by the lines of the page for integrators from a program of its own.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { signatureExample } from "../../../src/http/documents/prose.ts"
import { run, temporaryFolder } from "../../support/processes.ts"

const root = resolve(import.meta.dirname, "../../..")
const { secret } = signatureExample
const event = JSON.stringify({ id: "019bc0a1-7c00-7004-8000-000000000001", type: "ping", data: { endpointId: "one" } })

let receiver: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  receiver = await temporaryFolder()
  const cwd = receiver.path
  const packed = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", cwd], { cwd: root })
  expect(packed.code, packed.stderr).toBe(0)
  const home = join(cwd, "node_modules/journeys")
  await mkdir(home, { recursive: true })
  const unpacked = await run("tar", ["-xzf", join(cwd, packed.stdout.trim()), "-C", home, "--strip-components=1"], {
    cwd
  })
  expect(unpacked.code, unpacked.stderr).toBe(0)
})
afterAll(() => receiver?.remove())

describe("a receiver that has installed the package", () => {
  it("imports the verifier and nothing else with it, and verifies", async () => {
    const signature = signatureHeader([signingKey(secret)], 1000, event)
    await writeFile(
      join(receiver.path, "receiver.mjs"),
      `import { verifyWebhook, WebhookVerificationError } from "journeys/webhooks"
       const delivery = { body: process.argv[2], signature: process.argv[3], secret: process.argv[4], now: 1_000_000 }
       console.log(verifyWebhook(delivery).data.endpointId)
       try {
         verifyWebhook({ ...delivery, body: delivery.body + " " })
       } catch (error) {
         console.log(error instanceof WebhookVerificationError, error.reason)
       }`
    )
    const parameters = ["--no-strip-types", "receiver.mjs", event, signature, secret]
    const { code, stderr, stdout } = await run(process.execPath, parameters, { cwd: receiver.path })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "one\ntrue NO_MATCH\n" })
  })

  it("runs the server of the page for integrators", async () => {
    const printed = /<!-- verify:module -->\s*```js\n(.*?)\n```/s.exec(
      await readFile(join(root, "docs/integrators.md"), "utf8")
    )?.[1]
    const listening = "listen(0, function () { console.log(this.address().port) })"
    expect(printed).toContain("listen(8080)")
    await writeFile(join(receiver.path, "server.mjs"), printed?.replace("listen(8080)", listening) ?? "")
    const server = spawn(process.execPath, ["--no-strip-types", "server.mjs"], {
      cwd: receiver.path,
      env: { WEBHOOK_SECRET: secret },
      stdio: ["ignore", "pipe", "ignore"]
    })
    try {
      const [port] = (await once(server.stdout, "data")) as [Buffer]
      const answerTo = async (body: string, headers: Record<string, string>) =>
        (await fetch(`http://127.0.0.1:${port.toString().trim()}`, { method: "POST", body, headers })).status
      const signature = signatureHeader([signingKey(secret)], Math.floor(Date.now() / 1000), event)
      expect(await answerTo(event, { "Service-Signature": signature })).toBe(204)
      expect(await answerTo(`${event} `, { "Service-Signature": signature })).toBe(400)
      expect(await answerTo(event, {})).toBe(400)
    } finally {
      server.kill()
    }
  })

  it("reads its types, without Node's or the DOM's", async () => {
    await writeFile(
      join(receiver.path, "receiver.mts"),
      `import { verifyWebhook, type WebhookEvent } from "journeys/webhooks"
       declare const request: { readonly headers: Record<string, string | string[] | undefined> }
       const event: WebhookEvent = verifyWebhook({ body: new Uint8Array(), headers: request.headers, secret: "whsec_" })
       if (event.type === "ping") event.data.endpointId satisfies string
       // @ts-expect-error: a delivery has headers, or a signature
       verifyWebhook({ body: "", secret: "whsec_" })
       // @ts-expect-error: a parsed body cannot be verified
       verifyWebhook({ body: { id: "" }, headers: {}, secret: "whsec_" })`
    )
    const compiler = join(root, "node_modules/.bin/tsc")
    const parameters = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--lib",
      "es2022",
      "--types",
      "",
      "receiver.mts"
    ]
    const { code, stdout } = await run(compiler, parameters, { cwd: receiver.path })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
  })

  it("reaches no other file of the package", async () => {
    const inner = "import('journeys/src/actors/webhook/rules/signature.ts').catch((error) => console.log(error.code))"
    const { stdout } = await run(process.execPath, ["-e", inner], { cwd: receiver.path })
    expect(stdout.trim()).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED")
    const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { readonly exports: object }
    // The test kit, with the options of its types, is for programs of this checkout: Node strips no types in node_modules.
    expect(Object.keys(exports)).toEqual(["./webhooks", "./testkit", "./testkit/tsconfig.json"])
  })
})
