import { expect, it } from "vitest"
import { browserName } from "../../../src/http/console/signIn/browserName.ts"

it.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    "Safari on macOS"
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0",
    "Edge on Windows"
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/128.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone"
  ],
  [
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36",
    "Chrome on Android"
  ],
  ["curl/8.5.0", null],
  ["<script>alert(1)</script> Linux", "Linux"]
])("calls %s what people call it", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

it("knows no browser that says nothing", () => {
  expect(browserName(undefined)).toBe(null)
})
