/**
 * `npm run bench:console`: how long the pages of the console take with 100,000 journeys of one company. The journeys are written
 * by SQL into a database of their own, from journeys that were really started; each has a customer and a sealed record of its
 * own, because the list opens the records that it shows. A member of the team asks each page again and again, one request at a
 * time, and the output has p50 and p95 in milliseconds. Below it stands how each statement of the list reads its tables: a
 * sequential scan of one of them would grow with the list. Every other section of the console is asked, too. Every journey with a
 * handover names the company as its dealer, so that the list of handovers is long, too.
 *
 * BENCH_DATABASE_URL as for `npm run bench`. BENCH_JOURNEYS sets how many, BENCH_REQUESTS how often each page is asked.
 */
import { queryDirectly } from "../support/directly.ts"
import { addMember, openSession } from "../support/members.ts"
import { explainList } from "./explainedList.ts"
import { fillCompany } from "./manyJourneys.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { startEachShape } from "./startEachShape.ts"

const journeys = Number(process.env["BENCH_JOURNEYS"] ?? 100_000)
const requests = Number(process.env["BENCH_REQUESTS"] ?? 100)

/** The key of the service, with which the sealed records are written. */
const encryptionKey = Buffer.alloc(32, 7)

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

interface Page {
  readonly name: string
  readonly path: string
  /** The fields of a form that is sent; without them the page is opened. */
  readonly form?: Readonly<Record<string, string>>
}

const pagesOf = (deep: string, deepHandover: string): ReadonlyArray<Page> => {
  const list = "/console/journeys"
  const filters = [
    "status=ACTIVE",
    "status=EXPIRED",
    "type=DELIVERY",
    "mode=LIVE",
    "waitingOn=SEND_FINANCE_DECISION",
    "waitedFor=168",
    "status=ACTIVE&type=DELIVERY&mode=TEST&waitedFor=24"
  ]
  return [
    { name: "journeys", path: list },
    { name: "journeys, at the end", path: `${list}?after=${deep}` },
    ...filters.flatMap((filter) => [
      { name: filter, path: `${list}?${filter}` },
      { name: `${filter}, at the end`, path: `${list}?${filter}&after=${deep}` }
    ]),
    ...["AB12 000777", "n777@example.com", "deal-77777", "deal-7", deep].map((search) => ({
      name: `search ${search === deep ? "an id" : search}`,
      path: list,
      form: { search }
    })),
    { name: "handovers, at the end", path: `/console/handovers?after=${deepHandover}` },
    { name: "a journey", path: `${list}/${deep}` },
    ...["", "reviews", "handovers", "keys", "webhooks", "wallets", "vehicles", "team", "company", "audit"].map(
      (section) => ({
        name: section === "" ? "overview" : section,
        path: section === "" ? "/console" : `/console/${section}`
      })
    )
  ]
}

/** One answer, read to its end. */
const fetched = async (port: number, secret: string, { form, path }: Page, token: string): Promise<string> => {
  const origin = `http://127.0.0.1:${port}`
  const answer = await fetch(`${origin}${path}`, {
    redirect: "manual",
    headers: { cookie: `journeys-console=${secret}`, ...(form === undefined ? {} : { origin }) },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams({ token, ...form }) })
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  return text
}

const measure = async ({ port }: Running, secret: string, pages: ReadonlyArray<Page>): Promise<void> => {
  const first = await fetched(port, secret, { name: "", path: "/console/journeys" }, "")
  const token = /name="token" value="([^"]+)"/.exec(first)?.[1] ?? ""
  console.log(`${"".padEnd(72)}${"rows".padStart(6)}${"p50 ms".padStart(10)}${"p95 ms".padStart(10)}`)
  for (const page of pages) {
    const times: Array<number> = []
    let rows = 0
    for (let at = 0; at < requests + 10; at++) {
      const began = performance.now()
      const text = await fetched(port, secret, page, token)
      // The first ten warm up.
      if (at >= 10) times.push(performance.now() - began)
      rows = (text.match(/<tr>/g)?.length ?? 1) - 1
    }
    console.log(
      page.name.padEnd(72) +
        String(rows).padStart(6) +
        percentile(times, 0.5).toFixed(1).padStart(10) +
        percentile(times, 0.95).toFixed(1).padStart(10)
    )
  }
}

await withDatabase((databaseUrl) =>
  withService(databaseUrl, { ENCRYPTION_KEY: encryptionKey.toString("base64") }, async (running) => {
    const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      queryDirectly<Row>(databaseUrl, text, values)
    await startEachShape(running, "bench")
    const deep = await fillCompany(databaseUrl, running.companyId, encryptionKey, journeys)
    await query(
      "update journeys set dealer_company_id = company_id, handover_at = created_at where state -> 'handover' ->> 'createdAt' is not null"
    )
    await query("analyze journeys")
    const [old] = await query<{ readonly id: string }>(
      "select id from journeys where dealer_company_id is not null order by handover_at, id limit 1 offset 30"
    )
    const member = await addMember({ query }, running.companyId, { role: "TEAM" })
    const secret = await openSession({ query }, member)
    await measure(running, secret, pagesOf(deep, old?.id ?? ""))
    await explainList(databaseUrl, running.companyId, deep)
  })
)
