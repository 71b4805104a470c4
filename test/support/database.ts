/** One embedded PostgreSQL for the whole test run. It starts before the first file and stops after the last. */
import type { TestProject } from "vitest/node"
import { startDatabases } from "../kit/ownDatabases.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of this PostgreSQL, with a role that may create databases. */
    readonly postgresUrl: string
    /** The name of the database with an up-to-date schema and nothing in it. */
    readonly migratedDatabase: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { migrated, stop, url } = await startDatabases()
  project.provide("postgresUrl", url)
  project.provide("migratedDatabase", migrated)
  return stop
}
