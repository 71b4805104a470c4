/**
 * One embedded PostgreSQL for the whole test run. It starts before the first file and stops after the last. Each test
 * service makes its own database in it.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import * as EmbeddedPostgres from "../../src/runtime/embedded/EmbeddedPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of this PostgreSQL, with a role that may create databases. */
    readonly postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "journeys-test-"))
  const scope = Scope.makeUnsafe()
  const { url } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start(folder), scope))
  project.provide("postgresUrl", Redacted.value(url))
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  }
}
