/**
 * What a process loads before anybody asks it for anything. A package that few processes need is loaded when it is first
 * needed: all of them together made commands wait.
 */
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { commandsScript, run } from "../support/processes.ts"

/** The packages, and who needs them. */
const whenNeeded: Readonly<Record<string, string>> = {
  "@simplewebauthn/server": "who adds or shows a passkey",
  ioredis: "a node with REDIS_URL",
  jimp: "who tries a journey with a photo out",
  mrz: "who sends a document",
  nodemailer: "an installation with SMTP_URL",
  redis: "nobody: it comes with all of @effect/platform-node, whose modules are imported one by one",
  "tesseract.js": "who sends a document"
}

/** Prints each package of which a module was loaded. */
const listing = `
import { registerHooks } from "node:module"
const loaded = new Set()
registerHooks({
  load: (url, context, next) => {
    const [, name] = /.*node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(url) ?? []
    if (name !== undefined) loaded.add(name)
    return next(url, context)
  }
})
process.on("exit", () => console.error(JSON.stringify([...loaded])))`

const root = resolve(import.meta.dirname, "../..")

const loadedBy = async (parameters: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`
  const { stderr } = await run(process.execPath, ["--import", hook, ...parameters], { cwd: root })
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "")
}

const needless = (loaded: ReadonlyArray<string>) => loaded.filter((name) => name in whenNeeded)

it("a command loads no package but those that its answer is made with", async () => {
  const loaded = await loadedBy([commandsScript, "--help"])
  expect(loaded).toContain("effect")
  expect(needless(loaded)).toEqual([])
  expect(loaded).not.toContain("undici")
  expect(loaded).not.toContain("@effect/sql-pg")
})

it("the service loads no package for what nobody has asked it for", async () => {
  const loaded = await loadedBy(["--eval", `await import(${JSON.stringify(join(root, "src/runtime/App.ts"))})`])
  expect(loaded).toEqual(expect.arrayContaining(["effect", "undici", "@effect/sql-pg"]))
  expect(needless(loaded)).toEqual([])
})
