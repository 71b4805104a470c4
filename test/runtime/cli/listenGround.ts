/** What the tests of `listen` share: a service with a company, each program that listens, as a process of its own, and receivers on this machine. Not a test itself. */
import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { expect } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { commandsScript, startProgram, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { startService, type Service } from "../../support/service.ts"
import { eventOf, startReceiver, type Received, type Receiver } from "../../support/receivers.ts"

const settings = { SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" }

/** What the test that runs now has. A test opens the ground before and closes it after. */
export let service: Service
export let company: TestCompany
export let folder: Awaited<ReturnType<typeof temporaryFolder>>
export let started: Array<MainProcess>
export let receivers: Array<Receiver>

export const openGround = async (): Promise<void> => {
  service = await startService(settings)
  company = await makeCompany(service)
  folder = await temporaryFolder()
  started = []
  receivers = []
}

export const closeGround = async (): Promise<void> => {
  await Promise.all(started.map((one) => one.stop("SIGKILL")))
  await Promise.all(receivers.map((one) => one.stop()))
  await service.stop()
  await folder.remove()
}

/** The service, which has been stopped, comes again at its port, with its database. */
export const startAgain = async (databaseUrl: string, port: string): Promise<void> => {
  service = await startService({ ...settings, DATABASE_URL: databaseUrl, PORT: port })
}

/** `status` of the answer to the request with this number, from 1; null for none at all. */
export const receiver = async (
  status: (count: number) => number | null = () => 204,
  port?: number
): Promise<Receiver> => {
  const one = await startReceiver((_, response) => {
    const answer = status(one.received.length)
    if (answer !== null) response.writeHead(answer).end()
  }, port)
  receivers.push(one)
  return one
}

/** A program that has the command `listen`, and what its environment says. Each keeps its state in the folder of the test. */
export interface ListenProgram {
  readonly script: string
  readonly environment: (baseUrl: string, home: string) => Readonly<Record<string, string>>
}

export const programs = {
  service: { script: commandsScript, environment: (baseUrl) => ({ BASE_URL: baseUrl }) },
  /** As it stands in the tree. `listenPackage.int.test.ts` runs it as it is installed. */
  package: {
    script: resolve(import.meta.dirname, "../../../src/runtime/client/listen/command.ts"),
    environment: (baseUrl, home) => ({ JOURNEYS_URL: baseUrl, HOME: home })
  }
} as const satisfies Readonly<Record<string, ListenProgram>>

export const bothPrograms = Object.entries(programs)

export const environment = ({ environment }: ListenProgram) => environment(service.baseUrl, folder.path)

/** Starts the program and waits until it listens. */
export const listenWith = async (
  program: ListenProgram,
  to: { readonly url: string },
  ...more: ReadonlyArray<string>
): Promise<MainProcess> => {
  const key = more.includes("--key") ? [] : ["--key", company.testKey]
  const parameters = ["listen", "--forward-to", `${to.url}?from=us`, ...key, ...more]
  const listening = startProgram(program.script, parameters, { cwd: folder.path, environment: environment(program) })
  started.push(listening)
  await listening.printed(/Ctrl-C stops|LISTENING/)
  return listening
}

/** The same with the program of the package, which is the quicker one to begin. */
export const listen = (to: { readonly url: string }, ...more: ReadonlyArray<string>): Promise<MainProcess> =>
  listenWith(programs.package, to, ...more)

export const secretIn = (listening: MainProcess): string => /whsec_\S+/.exec(listening.stdout())?.[0] ?? ""

/** A journey from its start to its end: eight events or so. */
export const wholeJourney = async (key = company.testKey): Promise<void> => {
  const { data } = await start(service, key, startBody("IDENTITY_DELIVERY"))
  const event = "delivery.completed"
  expect((await ask(service, key, `/api/v1/journeys/${data.id}/simulate`, { body: { event } })).status).toBe(200)
}

export const stored = () =>
  service.query<{ readonly id: string; readonly body: string; readonly sequence: number }>(
    "select id, body, sequence from events where company_id = $1 and not livemode order by tx, id",
    [company.id]
  )

export const idsOf = (received: ReadonlyArray<Received>): ReadonlyArray<string> =>
  received.map((one) => eventOf(one).id)

/** Ids as they came first, and that what came again came right after. */
export const once = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.filter((id, at) => id !== ids[at - 1])

export const hasAll = async (to: Receiver): Promise<ReadonlyArray<string>> => {
  const ids = (await stored()).map(({ id }) => id)
  const last = ids.at(-1) ?? ""
  await eventually(
    () => idsOf(to.received),
    (received) => received.includes(last),
    30_000
  )
  return ids
}

export const lines = (listening: MainProcess): ReadonlyArray<string> =>
  listening
    .stdout()
    .split("\n")
    .filter((line) => /^\d{4}-/.test(line))

export const stateFiles = async () => {
  const states = join(folder.path, ".journeys/listen")
  return (await readdir(states)).map((name) => join(states, name))
}
