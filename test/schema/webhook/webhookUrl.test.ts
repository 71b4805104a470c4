/** The form of the URLs that the service sends to (decision W13, and the bad inputs BAD-W1 to BAD-W23). */
import { describe, expect, it } from "vitest"
import { judgeWebhookUrl } from "../../../src/schema/webhook/webhookUrl.ts"
import { webhookLimits } from "../../../src/schema/webhook/limits.ts"

const { longestUrl } = webhookLimits

const judge = (text: string) => judgeWebhookUrl(text, { allowInsecure: false })
const judgeInsecure = (text: string) => judgeWebhookUrl(text, { allowInsecure: true })
const isRefused = (text: string) => "rule" in judge(text)

const pathOf = (length: number) => `https://a.example/${"x".repeat(length - "https://a.example/".length)}`

it.each([
  ["https://a.example", "https://a.example/"],
  ["https://a.example/", "https://a.example/"],
  ["HTTPS://Hooks.A.Example/In?x=1&y=%20", "https://hooks.a.example/In?x=1&y=%20"],
  ["https://a.example:443/x", "https://a.example/x"],
  ["https://a.example:8443/x", "https://a.example:8443/x"],
  ["https://a-b.c-d.co.uk/@x/y:z", "https://a-b.c-d.co.uk/@x/y:z"],
  ["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
  ["https://a.example/a/../b", "https://a.example/b"],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://[2606:4700:4700::1111]:8443/", "https://[2606:4700:4700::1111]:8443/"],
  ["https://localhost.example.com/", "https://localhost.example.com/"],
  ["https://notlocal.example/", "https://notlocal.example/"],
  ["https://internal.example/", "https://internal.example/"],
  [`https://${"a".repeat(63)}.example/`, `https://${"a".repeat(63)}.example/`],
  [pathOf(longestUrl), pathOf(longestUrl)]
])("keeps %s as %s", (text, url) => expect(judge(text)).toEqual({ url }))

const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
  "is not https (BAD-W1)": [
    "http://a.example/", "HTTP://a.example", "ftp://a.example/", "file:///etc/passwd", "javascript:alert(1)",
    "gopher://a.example/", "data:text/plain,x", "ws://a.example", "wss://a.example", "", "https", "https:", "https://",
    "https:///", "https:a.example", "https:/a.example", "https:///a.example", "https:////a.example", "//a.example",
    "a.example", "/x", "https://?x", "https://:443/", "null"
  ],
  "has another port (BAD-W3)": [
    "https://a.example:22/", "https://a.example:80/", "https://a.example:0/", "https://a.example:444/",
    "https://a.example:65535/", "https://a.example:65536/", "https://a.example:443x/", "https://a.example:-443/",
    "https://a.example:8080", "https://a.example:4 43"
  ],
  "has a user, a password or a fragment": [
    "https://u@a.example/", "https://u:p@a.example/", "https://:p@a.example/", "https://@a.example/",
    "https://:@a.example/", "https://a.example@b.example/", "https://a.example/#", "https://a.example/#x",
    "https://a.example#x", "https://a.example/?x#y", "https://8.8.8.8@127.0.0.1/"
  ],
  "is an address of this machine in any spelling (BAD-W5)": [
    "https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://0x7f.1/", "https://0x7f.0.0.1/",
    "https://0177.0.0.1/", "https://0177.1/", "https://2130706433/", "https://0x7f000001/", "https://017700000001/",
    "https://①②⑦.⓪.⓪.①/", "https://%31%32%37.0.0.1/", "https://127.0.0.1./", "https://127.255.255.254/", "https://0/",
    "https://0.0.0.0/", "https://00/", "https://0x0/", "https://[::1]/", "https://[::]/", "https://[0:0:0:0:0:0:0:1]/"
  ],
  "is an address of a private network": [
    "https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.0.1/", "https://0xa.1/",
    "https://3232235521/", "https://100.64.0.1/", "https://[fc00::1]/", "https://[fd12:3456::1]/", "https://[fe80::1]/"
  ],
  "is where a cloud keeps its secrets (BAD-W7)": [
    "https://169.254.169.254/", "https://2852039166/", "https://0xa9fea9fe/", "https://0xa9.0xfe.0xa9.0xfe/",
    "https://169.254.170.2/", "https://100.100.100.200/", "https://192.0.0.192/", "https://[fd00:ec2::254]/",
    "https://168.63.129.16/"
  ],
  "is a special address (BAD-W9)": [
    "https://192.0.0.1/", "https://192.0.2.1/", "https://198.18.0.1/", "https://198.19.255.255/",
    "https://198.51.100.1/", "https://203.0.113.1/", "https://192.88.99.1/", "https://224.0.0.1/",
    "https://239.255.255.250/", "https://240.0.0.1/", "https://255.255.255.255/", "https://[ff02::1]/"
  ],
  "carries an IPv4 address in an IPv6 one (BAD-W11, BAD-W13)": [
    "https://[::ffff:10.0.0.1]/", "https://[::ffff:a9fe:a9fe]/", "https://[::127.0.0.1]/", "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::7f00:1]/", "https://[2002:a9fe:a9fe::]/",
    "https://[2002:7f00:1::]/", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[2001:db8::1]/",
    "https://[3fff::1]/", "https://[100::1]/", "https://[5f00::1]/", "https://[fe80::1%25eth0]/", "https://[::1%eth0]/"
  ],
  "is a local name (BAD-W15)": [
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://LOCALHOST./", "https://localhost。/",
    "https://x.localhost/", "https://a.b.localhost/", "https://printer.local/", "https://x.internal/",
    "https://metadata.google.internal/", "https://METADATA.google.INTERNAL/", "https://router.home.arpa/",
    "https://home.arpa/", "https://example/", "https://metadata/", "https://kubernetes/"
  ],
  "has a name that is none (BAD-W21)": [
    `https://${"a".repeat(64)}.example/`, `https://${`${"a".repeat(49)}.`.repeat(5)}example/`, "https://a.b..c/",
    "https://.a.example/", "https://xn--/", "https://xn--.example/", "https://xn--a.example/",
    "https://xn--zzzzzzzz.example/", "https://a.example./", "https://a.example../", "https://-a.example/",
    "https://a-.example/", "https://a_b.example/", "https://*.example/", "https://a!b.example/", "https://1.2.3.4.5/",
    "https://a.1/", "https://256.256.256.256/", "https://bücher.example/", "https://пример.example/"
  ],
  "is too long, or holds what a parser would drop (BAD-W23)": [
    pathOf(longestUrl + 1), `https://a.example/${'"'.repeat(1000)}`, "https://a.example/\r\nx", "https://a.exa\nmple/",
    "ht\ttps://a.example/", "https://a.example/\u0000", " https://a.example/", "https://a.example/ ",
    "https://a.example/a b", "https://a.example\\@b.example/", "https:\\\\a.example\\", "https://a.example/\\x",
    "https://\\a.example/", "https://a.example/ü", "https://a.example/\u007f", "https://a.example/\u2028", "\ufeffhttps://a.example/"
  ]
} // prettier-ignore

describe.each(Object.entries(refused))("refuses a URL that %s", (_, texts) => {
  it.each(texts)("%j", (text) => expect(judge(text)).toEqual({ rule: expect.stringMatching(/^must /) }))
})

it("says which rule is broken", () => {
  expect([
    judge(pathOf(longestUrl + 1)),
    judge("http://a.example"),
    judge("https://a.example:444"),
    judge("https://u@a.example"),
    judge("https://127.1"),
    judge("https://localhost")
  ]).toEqual([
    { rule: "must be at most 2048 characters" },
    { rule: "must be an https URL" },
    { rule: "must use port 443 or 8443" },
    { rule: "must have no user, password or fragment" },
    { rule: "must not have an address that is not on the public internet" },
    { rule: "must have a host name of the public internet" }
  ])
})

const howToWrite = expect.stringMatching(/^must be printable ASCII .*xn-- form, and other characters percent-encoded$/)

it.each(["https://exämple.com/ä", "https://example.com/a b", "https://a.example/\r\nx"])(
  "says of %j, which is an https URL, how to write it",
  (text) => {
    expect(judge(text)).toEqual({ rule: howToWrite })
    expect(judgeInsecure(text.replace("https", "http"))).toEqual({ rule: howToWrite })
  }
)

it("names the schemes that are allowed to text that is no URL", () => {
  for (const text of ["foo", "ftp://a.example/", "ü", "https:///ü"]) {
    expect([judge(text), judgeInsecure(text)]).toEqual([
      { rule: "must be an https URL" },
      { rule: "must be an http or https URL" }
    ])
  }
  expect(judge("http://exämple.com/")).toEqual({ rule: "must be an https URL" })
})

it("keeps what it kept: a URL as the service keeps it is judged the same again", () => {
  const kept = Object.values(refused)
    .flat()
    .flatMap((text) => [judgeInsecure(text), judge(text)])
    .flatMap((judged) => ("url" in judged ? [judged.url] : []))
  expect(kept.length).toBeGreaterThan(50)
  expect(kept.filter((url) => JSON.stringify(judgeInsecure(url)) !== JSON.stringify({ url }))).toEqual([])
})

describe("in development", () => {
  it.each([
    ["http://localhost:3000/hooks", "http://localhost:3000/hooks"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1/"],
    ["https://[::1]:8080/x", "https://[::1]:8080/x"],
    ["http://receiver/x", "http://receiver/x"],
    ["https://10.0.0.1:444/", "https://10.0.0.1:444/"]
  ])("takes %s as well", (text, url) => {
    expect(judgeInsecure(text)).toEqual({ url })
    expect(isRefused(text)).toBe(true)
  })

  it.each(["ftp://a.example/", "http://u:p@localhost/", "http://localhost/#x", "http://localhost/\r\n", "http://", ""])(
    "still refuses %j",
    (text) => expect(judgeInsecure(text)).toEqual({ rule: expect.stringMatching(/^must /) })
  )
})
