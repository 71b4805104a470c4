/** Holds the list of all cryptography (docs/cryptography.md) to the code: each algorithm, and each file that uses one. */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")

const hashes: Readonly<Record<string, string>> = { sha256: "SHA-256", sha1: "SHA-1", md5: "MD5" }

/** What a line of code that uses an algorithm looks like, and the name of the algorithm. */
const uses: ReadonlyArray<readonly [RegExp, (name: string) => string]> = [
  [/(?:(?<![\w.])hash|createHash)\("(\w+)"/g, (name) => hashes[name] ?? name],
  [/(?<![\w.-])(md5|sha1|sha256)\(/g, (name) => hashes[name] ?? name],
  [/digest\("(SHA-\d+)"/g, (name) => name],
  [/createHmac\("(\w+)"|hash_hmac\('(\w+)'/g, (name) => `HMAC-${hashes[name] ?? name}`],
  [/hmac\.new\(.*hashlib\.(\w+)/g, (name) => `HMAC-${hashes[name] ?? name}`],
  [/create(?:C|Dec)ipheriv\("([\w-]+)"/g, (name) => name.toUpperCase()],
  [/hkdfSync\("(\w+)"/g, (name) => `HKDF-${hashes[name] ?? name}`],
  [/(?<![\w.])(?:sign|verify)\(null,/g, () => "Ed25519"],
  [/randomBytes(?:Unsafe)?\(|randomFillSync\(|getRandomValues\(/g, () => "random bytes"],
  [/(?:verify(?:Registration|Authentication)Response)\(/g, () => "WebAuthn"],
  [/ciphers: "([\w-]+)"/g, (name) => name]
]

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:ts|js|py)$/.test(name))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, "src", name), "utf8") }))

const inCode = sources.flatMap(({ path, text }) =>
  uses.flatMap(([pattern, nameOf]) =>
    Array.from(text.matchAll(pattern), ([, one, other]) => `${nameOf(one ?? other ?? "")} in ${path}`)
  )
)

const [, list = ""] = readFileSync(join(root, "docs/cryptography.md"), "utf8").split("## Algorithms")
const [rows = ""] = list.split("## Keys")
const listed = rows.split("\n").flatMap((row) => {
  const [, algorithm = "", , where = ""] = row.split("|").map((cell) => cell.trim())
  return Array.from(where.matchAll(/`([^`]+)`/g), ([, path = ""]) => ({ algorithm, path }))
})

it("lists each algorithm with each file that uses it, and nothing else", () => {
  const [used, written] = [new Set(inCode), new Set(listed.map(({ algorithm, path }) => `${algorithm} in ${path}`))]
  expect(inCode.length).toBeGreaterThan(40)
  expect([...used].filter((use) => !written.has(use))).toEqual([])
  // Of these the code has no name of an algorithm to look for.
  const unnamed = new Set(["TLS", "UUID", "ECDHE-PSK-CHACHA20-POLY1305"])
  const named = listed.filter(({ algorithm }) => !unnamed.has(algorithm))
  expect(named.map(({ algorithm, path }) => `${algorithm} in ${path}`).filter((use) => !used.has(use))).toEqual([])
})

it("lists each file that asks Node for cryptography or TLS, whatever it does with it", () => {
  const asking = sources.filter(({ text }) => /from "node:(?:crypto|tls)"/.test(text)).map(({ path }) => path)
  expect(asking.length).toBeGreaterThan(30)
  expect(asking.filter((path) => !listed.some((one) => one.path === path))).toEqual([])
})
