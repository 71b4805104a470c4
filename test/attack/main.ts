/**
 * `npm run attack`: what others notice of a company at its limits, and of strangers. The service runs as a process of its own with
 * a new database and a mail server that takes its time. Each row is one flood: a quiet company's starts, reads, photos
 * and mail to sign in beside it, and the memory of the node. "of quiet" is a p99 over that of the rows before and after the floods.
 * Each flood comes once for a few seconds before anything is measured. Prints figures and aims, and judges
 * nothing: machines differ, and shared machines change from minute to minute.
 *
 * It attacks the service that it has started itself, over loopback, and nothing else. ATTACK_SECONDS sets the length of a row,
 * ATTACK_ROUNDS how often all rows are measured (a row shows what all of its rounds noticed),
 * ATTACK_ONLY chooses floods by a part of their names, ATTACK_JOURNEYS says how many journeys the loud company has.
 * BENCH_DATABASE_URL as for `npm run bench`.
 */
import { startExamples } from "../../src/schema/start/examples.ts"
import { withDatabase, withService, type Running } from "../bench/running.ts"
import { queryDirectly } from "../support/directly.ts"
import { startMailServer, type MailServer } from "../support/mailServer.ts"
import { beginFlood } from "./flooding.ts"
import { floods, type Target } from "./floods.ts"
import { probe, type Noticed, type Victim } from "./probe.ts"

const seconds = Number(process.env["ATTACK_SECONDS"] ?? 15)
const rounds = Number(process.env["ATTACK_ROUNDS"] ?? 1)
const only = process.env["ATTACK_ONLY"] ?? ""
const journeys = Number(process.env["ATTACK_JOURNEYS"] ?? 20_000)
/** Milliseconds that the mail server takes for each mail. */
const mailTakes = 50
/** Between two rows the service comes to rest. */
const restMillis = 3000
/** The service compiles what it runs often while these pass: the first seconds of a process cost it twice as much as all others. */
const warmSeconds = { quiet: 10, flood: 5 }
const keysOfEach = 5

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const columns = [
  "read p50",
  "read p99",
  "of quiet",
  "start p50",
  "start p99",
  "of quiet",
  "photos no",
  "sign-in s",
  "RSS MB"
]
const row = (name: string, values: ReadonlyArray<string>, remark = ""): void =>
  console.log(name.padEnd(35) + values.map((value) => value.padStart(10)).join("") + remark)

const times = (of: ReadonlyArray<number>, quiet: ReadonlyArray<number>): ReadonlyArray<string> => {
  const p99 = percentile(of, 0.99)
  return [percentile(of, 0.5).toFixed(1), p99.toFixed(1), (p99 / percentile(quiet, 0.99)).toFixed(2)]
}

/** "  failed: 3 of 503", for each status that was not asked for. */
const failed = (statuses: ReadonlyArray<number>): string => {
  const counted = Map.groupBy(statuses, (status) => status)
  return [...counted].map(([status, all]) => `  failed: ${all.length} of ${status}`).join("")
}

const shown = (name: string, noticed: Noticed, quiet: Pick<Noticed, "reads" | "starts">): void =>
  row(
    name,
    [
      ...times(noticed.reads, quiet.reads),
      ...times(noticed.starts, quiet.starts),
      `${noticed.photosRefused}/${noticed.photos}`,
      noticed.signInMail === null ? "over 60" : (noticed.signInMail / 1000).toFixed(1),
      (noticed.largestRss / 2 ** 20).toFixed(0)
    ],
    failed(noticed.failures)
  )

const quietRows = ["quiet, before", "quiet, after"] as const

/** What all rounds of a row noticed; of mails to sign in and of memory the worst. */
const together = (rows: ReadonlyArray<Noticed>): Noticed => ({
  reads: rows.flatMap(({ reads }) => reads),
  starts: rows.flatMap(({ starts }) => starts),
  failures: rows.flatMap(({ failures }) => failures),
  photos: rows.reduce((sum, { photos }) => sum + photos, 0),
  photosRefused: rows.reduce((sum, { photosRefused }) => sum + photosRefused, 0),
  signInMail: rows.some(({ signInMail }) => signInMail === null)
    ? null
    : Math.max(...rows.map(({ signInMail }) => signInMail ?? 0)),
  largestRss: Math.max(...rows.map(({ largestRss }) => largestRss))
})

const company = async ({ settings }: Running, name: string) => {
  const { id = "" } = await settings("POST", "/companies", { name, kind: "DEALER", adminEmail: `${name}@example.com` })
  await settings("PATCH", `/companies/${id}`, { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } })
  for (const wallet of ["APPLICATION", "IDENTITY"]) {
    await settings("POST", `/companies/${id}/wallets/${wallet}/credits`, { amount: 1_000_000, note: "Attack" })
  }
  const key = async (mode: string) => (await settings("POST", `/companies/${id}/api-keys`, { mode }))["key"] ?? ""
  return { id, key }
}

const liveKeysOf = async ({ key }: Awaited<ReturnType<typeof company>>): Promise<ReadonlyArray<string>> => {
  const keys: Array<string> = []
  for (let at = 0; at < keysOfEach; at += 1) keys.push(await key("LIVE"))
  return keys
}

/** Copies one journey of the company until it has many. */
const manyJourneys = async (databaseUrl: string, port: number, key: string): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/journeys`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "the-first-of-many"
    },
    body: JSON.stringify(startExamples.IDENTITY_DELIVERY)
  })
  const { data } = (await answer.json()) as { readonly data: { readonly id: string } }
  await queryDirectly(
    databaseUrl,
    `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at)
     select gen_random_uuid(), company_id, livemode, status, version, customer_id, gen_random_uuid()::text, fingerprint, state, now()
     from journeys cross join generate_series(1, $2::int) where id = $1::uuid`,
    [data.id, journeys]
  )
}

const attack = async (running: Running, databaseUrl: string, mails: MailServer): Promise<void> => {
  const { pid, port, settings } = running
  const quiet = await company(running, "quiet")
  const count = rounds * (floods.length + 2) + 1
  const members = Array.from({ length: count }, (_, at) => `member-${at}@example.com`)
  for (const email of members) await settings("POST", `/companies/${quiet.id}/members`, { email, role: "TEAM" })
  const victim: Victim = { port, liveKeys: await liveKeysOf(quiet), mails, members, group: pid }
  const loud = await company(running, "loud")
  const liveKeys = await liveKeysOf(loud)
  const target: Target = { port, liveKeys, testKey: await loud.key("TEST") }
  await manyJourneys(databaseUrl, port, liveKeys[0] ?? "")

  const probed = (name: string): Promise<Noticed> => {
    console.error(`${name}: ${seconds} s`)
    return probe(victim, seconds * 1000)
  }
  const chosen = floods.map(([title]) => title).filter((title) => title.includes(only))
  for (const name of chosen) {
    const stop = await beginFlood(name, target)
    await pause(warmSeconds.flood * 1000)
    await stop()
  }
  await probe({ ...victim, members: members.splice(0, 1) }, warmSeconds.quiet * 1000)
  const noticed = new Map<string, Array<Noticed>>()
  const measure = async (name: string): Promise<void> => {
    noticed.set(name, [...(noticed.get(name) ?? []), await probed(name)])
  }
  for (let round = 1; round <= rounds; round += 1) {
    await measure(quietRows[0])
    for (const name of chosen) {
      const stop = await beginFlood(name, target)
      await measure(name)
      await stop()
      await pause(restMillis)
    }
    await measure(quietRows[1])
  }

  const quietTimes = together(quietRows.flatMap((name) => noticed.get(name) ?? []))
  row("", columns)
  for (const name of [quietRows[0], ...chosen, quietRows[1]]) shown(name, together(noticed.get(name) ?? []), quietTimes)
  row("aim", ["", "", "2.00", "", "", "2.00", "0", "5.0", ""])
}

const mails = await startMailServer({
  judge: () => new Promise((resolve) => setTimeout(() => resolve(null), mailTakes))
})
await withDatabase((databaseUrl) =>
  withService(
    databaseUrl,
    {
      RATE_LIMIT_PER_MINUTE: "500",
      LOG_LEVEL: "none",
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: "Journeys <journeys@example.com>"
    },
    (running) => attack(running, databaseUrl, mails)
  )
)
await mails.stop()
