/**
 * The whole service on a new database of the test run's PostgreSQL. Tests make companies and keys through the settings API, as
 * an operator would. How a service runs inside this process is in the test kit.
 */
import { Context, Duration } from "effect"
import { inject } from "vitest"
import { CallerWaits } from "../../src/runtime/faces/looks/sharedLooks.ts"
import { BeforeLook } from "../../src/runtime/faces/looks/PhotoPool.ts"
import { copyOf } from "../kit/ownDatabases.ts"
import { startServiceOn, type Service } from "../kit/runningService.ts"
import { lookOnce } from "./seenPhotos.ts"

export { operatorToken, type Service } from "../kit/runningService.ts"

/** A new database on the test run's server: its schema is up to date, and its tables are empty. */
export const freshDatabase = (): Promise<string> => copyOf(inject("postgresUrl"), inject("migratedDatabase"))

/** A new database without a table, for tests of the migrations. */
export const databaseWithoutTables = (): Promise<string> => copyOf(inject("postgresUrl"), "template0")

/** The first photo waits until the models are loaded, and the tests' machine is busy: both take longer than callers wait. */
const patient = Context.make(CallerWaits, Duration.minutes(1))
const thrifty = Context.add(patient, BeforeLook, lookOnce)

/** What starts a service that may do without `given`. `environment` overrides the usual settings of tests. */
const starting =
  (given: typeof patient) =>
  async (environment: Readonly<Record<string, string>> = {}): Promise<Service> =>
    startServiceOn(environment["DATABASE_URL"] ?? (await freshDatabase()), environment, given)

/** Starts a service. What was seen in a photo before is not looked for again. */
export const startService = starting(thrifty)

/** A service that looks at a photo anew each time it comes. */
export const startLookingService = starting(patient)
