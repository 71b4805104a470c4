/** What the answer of a provider means, and to which page a customer may be sent. */
import { describe, expect, it } from "vitest"
import { failed } from "../../../src/actors/webhook/rules/classification.ts"
import { providerPageOf } from "../../../src/runtime/providers/HttpIdentityProvider.ts"
import { providerVerdictOf } from "../../../src/runtime/providers/signedPost.ts"

const tagOf = (status: number) => providerVerdictOf({ _tag: "Answered", status, answer: "" })._tag

describe("what a provider's answer amounts to", () => {
  it("is taken with any 2xx", () => {
    for (const status of [200, 201, 202, 204, 299]) expect([status, tagOf(status)]).toEqual([status, "Taken"])
  })

  it("is refused for good with any 4xx but those that pass", () => {
    for (const status of [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451, 499]) {
      expect([status, tagOf(status)]).toEqual([status, "Refused"])
    }
  })

  it("is unknown with everything else, which is why it is sent again", () => {
    for (const status of [301, 302, 303, 304, 307, 308, 408, 425, 429, 500, 501, 502, 503, 504, 599]) {
      expect([status, tagOf(status)]).toEqual([status, "Unknown"])
    }
    for (const error of ["TIMEOUT", "CONNECTION_RESET", "TLS_WRONG_NAME", "ADDRESS_NOT_PUBLIC"] as const) {
      expect(providerVerdictOf(failed(error))).toEqual({ _tag: "Unknown", reason: error })
    }
  })
})

describe("the page an identity provider names", () => {
  const secure = { allowInsecure: false }
  const page = (url: unknown, options = secure) => providerPageOf(JSON.stringify({ url }), options)

  it("is taken over https at a public host, with path, query and fragment", () => {
    for (const url of [
      "https://verify.example.com/",
      "https://verify.example.com/s/1?token=a%20b",
      "https://verify.example.com:8443/#session=abc"
    ]) {
      expect(page(url)).toBe(url)
    }
  })

  it("is not taken when a customer must not be sent there", () => {
    for (const url of [
      "http://verify.example.com/",
      "javascript:alert(1)",
      "data:text/html,hello",
      "//verify.example.com/",
      "/verify",
      "",
      "https://user:secret@verify.example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "https://localhost/",
      "https://intranet/",
      "https://verify.example.com/\r\nSet-Cookie: a=b",
      "https://verify.example.com/#a\u0000b",
      "https://verify.example.com/#a#b",
      "https://verify.example.com/ space",
      `https://verify.example.com/${"x".repeat(2048)}`,
      7,
      null,
      ["https://verify.example.com/"],
      { href: "https://verify.example.com/" }
    ]) {
      expect([url, page(url)]).toEqual([url, null])
    }
    for (const answer of ["", "null", "[]", "{}", "https://verify.example.com/", '{"url":"https://ver']) {
      expect([answer, providerPageOf(answer, secure)]).toEqual([answer, null])
    }
  })

  it("may be plain http on this machine where insecure addresses are allowed", () => {
    expect(page("http://127.0.0.1:8080/verify", { allowInsecure: true })).toBe("http://127.0.0.1:8080/verify")
    expect(page("javascript:alert(1)", { allowInsecure: true })).toBeNull()
  })
})
