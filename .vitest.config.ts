import { defineConfig } from "vitest/config"

// Files run one after another: they share two cores with a PostgreSQL of their own.
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
