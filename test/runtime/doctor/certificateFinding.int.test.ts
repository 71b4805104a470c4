/** What `journeys doctor` says of the certificate at the public address. The good certificate ends on 1 January 2120. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls"
import { expect, it } from "vitest"
import { certificateFinding } from "../../../src/runtime/doctor/certificateFinding.ts"
import { readSettings } from "../../../src/runtime/settings/Settings.ts"

const file = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8")

const day = 86_400_000
const end = Date.UTC(2120, 0, 1)

/** What is said of a server with this certificate, so long before the end of the good one. */
const saidOf = async (name: "good" | "expired" | "selfSigned", beforeEnd: number): Promise<ReadonlyArray<unknown>> => {
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, file("authority.pem")])
  const server = createServer({ cert: file(`${name}.pem`), key: file(`${name}.key`) })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { given } = readSettings({ BASE_URL: `https://127.0.0.1:${port}` })
    const found = await Effect.runPromise(
      Effect.andThen(TestClock.setTime(end - beforeEnd), certificateFinding(given)).pipe(
        Effect.provide(TestClock.layer())
      )
    )
    return found.map(({ isWell, says }) => [isWell, says.replace(`127.0.0.1:${port}`, "the address")])
  } finally {
    setDefaultCACertificates(before)
    server.close()
  }
}

it("a certificate that is trusted is well until two weeks before its end", async () => {
  expect(await saidOf("good", 14 * day)).toEqual([[true, "that of the address is good for 14 days"]])
  expect(await saidOf("good", 14 * day - 1)).toEqual([[false, "that of the address ends in 13 days"]])
})

it.each(["expired", "selfSigned"] as const)("a certificate that is %s is not good", async (name) => {
  expect(await saidOf(name, 14 * day)).toEqual([
    [false, expect.stringMatching(/^that of the address is not good: [A-Z_]+$/)]
  ])
})

const said = ({ given }: ReturnType<typeof readSettings>) => Effect.runPromise(certificateFinding(given))

it("an address that is not there, or is no https, is not judged", async () => {
  expect(await said(readSettings({ BASE_URL: "https://127.0.0.1:1" }))).toMatchObject([{ isWell: true }])
  expect(await said(readSettings({ BASE_URL: "http://127.0.0.1:1" }))).toEqual([])
})
