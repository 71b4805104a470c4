import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// What Node has compiled of the packages serves every worker and process of a run, and the next run.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/journeys", import.meta.url))

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/database.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: true,
    maxWorkers: 2
  }
})
