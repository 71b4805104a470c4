import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// What Node has compiled of the packages serves every worker and process of a run, and the next run.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/journeys", import.meta.url))

const root = fileURLToPath(new URL(".", import.meta.url))
const every = ["test/**/*.test.ts"]
const real = ["test/**/*.{int,e2e}.test.ts"]

// What a test replaces for its whole process, a module, the console or the connections of all sockets, others must not meet. What a test
// counts in the whole heap takes seconds in a worker that has run many files.
const ownProcess = /\bvi\.(?:mock|hoisted)\(|\bvi\.spyOn\(console\b|connectSpy|\bqueryObjects\(/
const aloneOf = (files: ReadonlyArray<string>) =>
  globSync(files, { cwd: root }).filter((file) => ownProcess.test(readFileSync(`${root}${file}`, "utf8")))
const realAlone = aloneOf(real)
const pureAlone = aloneOf(every).filter((file) => !realAlone.includes(file))
const database = ["test/support/database.ts"]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: true,
    // Files share two cores with a PostgreSQL of their own, with browsers and with services. A third worker made a run a tenth shorter,
    // and two tests of each run late.
    maxWorkers: 2,
    // A worker loads our modules once for all of its files. To load them anew for each file took a third of the CPU time of all tests.
    // So a test file leaves nothing behind in the process: no changed environment, no running service.
    isolate: false,
    projects: [
      { extends: true, test: { name: "pure", include: every, exclude: [...real, ...pureAlone] } },
      { extends: true, test: { name: "pure alone", include: pureAlone, isolate: true } },
      { extends: true, test: { name: "real", include: real, exclude: realAlone, globalSetup: database } },
      { extends: true, test: { name: "real alone", include: realAlone, isolate: true, globalSetup: database } }
    ]
  }
})
