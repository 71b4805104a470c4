/** Uploads that are announced and never come: what they take is bounded, and nobody else is refused for them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { jpeg, jsonPart, photoPart, sendForm } from "../../support/multipart.ts"
import { call, freshKey, RawConnection, start } from "../../support/requests.ts"
import type { Service } from "../../support/service.ts"
import { expectRefusal, journeys, stillService } from "../api/journeys/oracle.ts"

const uploads = 40
const announced = 5 * 1024 * 1024

let service: Service
let dealer: TestCompany
beforeAll(async () => {
  service = await stillService({ BODY_BUDGET: "64" })
  dealer = await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 1000 })
})
afterAll(() => service.stop())

const stall = async (key: string): Promise<RawConnection> => {
  const connection = new RawConnection(service)
  await connection.write(
    `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${freshKey()}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${announced}\r\n\r\n`
  )
  return connection
}

const photoStart = (key: string) =>
  sendForm(service, key, { parts: [jsonPart(startBody("FINANCE_SALE")), photoPart(jpeg(1024 * 1024))] })

describe("a key that announces many large uploads and sends nothing", () => {
  it("is refused all but a few at once, and keeps nobody else from sending photos", async () => {
    const stalled = await Promise.all(Array.from({ length: uploads }, () => stall(dealer.testKey)))
    // The answers that come are refusals for want of room; those that do not come are what was let in.
    const few = uploads - 4
    let refused = 0
    await new Promise<void>((resolve) => {
      for (const connection of stalled) {
        void connection.conversation().then(({ replies: [reply] }) => {
          // What was let in is cut some seconds later.
          if (reply === undefined || reply.status === 408) return
          expectRefusal(reply, "503 TEMPORARILY_UNAVAILABLE")
          expect(reply.header("retry-after")).toBe("1")
          refused += 1
          if (refused === few) resolve()
        })
      }
    })
    expect((await photoStart(dealer.liveKey)).status).toBe(202)
    // Small requests need no room, not even those of the same key.
    expect((await start(service, dealer.testKey, startBody("IDENTITY_DELIVERY"))).status).toBe(202)
    expect((await call(service, { key: dealer.testKey })).status).toBe(200)
    for (const connection of stalled) connection.close()
  })
})
