/** What a client of the package is made with. The client for Python is tried beside the rules of repeating (`retries.test.ts`). */
import { expect, it } from "vitest"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"

it("refuses an address and a key with which no request could succeed, before it sends one", () => {
  for (const [baseUrl, apiKey, named] of [
    ["", "svc_test_x", "baseUrl"],
    ["journeys.example", "svc_test_x", "baseUrl"],
    ["https://journeys.example", "", "apiKey"],
    ["https://journeys.example", "svc_test_x\n", "apiKey"]
  ] as const) {
    expect(() => new Transport({ apiKey, baseUrl }, () => undefined)).toThrow(new RegExp(`^${named} `))
  }
})
