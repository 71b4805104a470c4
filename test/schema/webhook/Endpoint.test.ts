/** What the body of a webhook endpoint is told beyond the form of its URL, which `webhookUrl.test.ts` looks at. */
import { Result } from "effect"
import { expect, it } from "vitest"
import { bodyDecoder } from "../../../src/schema/decoding/bodyDecoder.ts"
import { WebhookEndpointBody } from "../../../src/schema/webhook/Endpoint.ts"

const decode = bodyDecoder(WebhookEndpointBody)
const told = (url: string, allowInsecure: boolean) => {
  const decoded = decode({ url }, { now: 0, allowInsecure })
  return Result.isFailure(decoded) ? decoded.failure.map(({ message }) => message) : []
}

it("names the way to a receiver on one's own machine when it refuses plain http or such an address, and only then", () => {
  for (const url of ["http://receiver.example/hook", "https://localhost/hook", "http://127.0.0.1:4000/hook"]) {
    expect(told(url, false)).toEqual([
      expect.stringMatching(/^url must .*`listen` of the client package.*WEBHOOK_ALLOW_INSECURE=true/)
    ])
    expect(told(url, true)).toEqual([])
  }
  expect(told("ftp://receiver.example", false)).toEqual(["url must be an https URL"])
  expect(told("ftp://receiver.example", true)).toEqual(["url must be an http or https URL"])
  for (const isAllowed of [false, true]) {
    expect(told("https://exämple.com/ä", isAllowed)).toEqual([expect.stringMatching(/percent-encoded$/)])
  }
})
