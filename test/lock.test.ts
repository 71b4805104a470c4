/** The comparison of the lock file in git with the one that an install left (`.ci/lock`). */
import { spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { temporaryFolder } from "./support/processes.ts"

const root = resolve(import.meta.dirname, "..")

const effect = { version: "4.1.0", integrity: "sha512-a" }
const ofLinux = { version: "1.0.0", integrity: "sha512-b", optional: true, os: ["linux"] }

/** Compares lock files with these packages. */
const compare = async (before: object, after: object) => {
  const { path: folder, remove } = await temporaryFolder()
  const files = { before: join(folder, "before.json"), after: join(folder, "after.json") }
  await writeFile(files.before, JSON.stringify({ packages: before }))
  await writeFile(files.after, JSON.stringify({ packages: after }))
  const done = spawnSync(process.execPath, [join(root, ".ci/lock"), files.before, files.after], { encoding: "utf8" })
  await remove()
  return { status: done.status, said: done.stdout + done.stderr }
}

it("passes when the registry lists more or fewer optional packages of other platforms than before", async () => {
  expect((await compare({ effect }, { effect, ofLinux })).status).toBe(0)
  expect((await compare({ effect, ofLinux }, { effect })).status).toBe(0)
})

it("fails and names the package when an install takes another version, content, or a package that every platform has", async () => {
  for (const [before, after] of [
    [{ effect }, { effect: { ...effect, version: "4.1.1" } }],
    [{ effect }, { effect: { ...effect, integrity: "sha512-c" } }],
    [{ effect }, {}],
    [{}, { effect }],
    [{ effect: ofLinux }, { effect: { ...ofLinux, integrity: "sha512-c" } }]
  ] as const) {
    const { said, status } = await compare(before, after)
    expect([status, said]).toEqual([1, expect.stringContaining("changed effect in")])
  }
})
