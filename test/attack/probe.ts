/**
 * What another company notices: its starts and reads one after another, its photo starts, and how long its mail to sign in takes.
 * The same probe runs while all is quiet and beside each flood.
 */
import { randomUUID } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { Pool } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { jsonPart, multipartBytes, photoPart } from "../support/multipart.ts"
import { distinctPhoto } from "../support/photos.ts"
import type { MailServer } from "../support/mailServer.ts"

export interface Victim {
  readonly port: number
  /** Requests take turns with them, so that the quiet company stays within the limit of each. */
  readonly liveKeys: ReadonlyArray<string>
  readonly mails: MailServer
  /** Members who have not asked for a link yet. */
  readonly members: Array<string>
  /** The group of processes of the service. */
  readonly group: number
}

export interface Noticed {
  readonly starts: ReadonlyArray<number>
  readonly reads: ReadonlyArray<number>
  /** Statuses of starts, photo starts and reads that were not answered with 2xx; 0: no answer. */
  readonly failures: ReadonlyArray<number>
  readonly photos: number
  readonly photosRefused: number
  /** Milliseconds; null: it did not come in time. */
  readonly signInMail: number | null
  readonly largestRss: number
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const pauses = { read: 40, start: 80, photo: 2000, memory: 500, mail: 20 }
/** A mail that takes longer than this did not come. */
const longestMailWait = 60_000
/** A request that is not answered for so long has failed. */
const longestAnswer = 30_000

/** Bytes of the largest process of the group. */
const rssOf = async (group: number): Promise<number> => {
  let largest = 0
  for (const pid of (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
    // After the name in brackets: state, parent, group.
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) !== group) continue
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    largest = Math.max(largest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024)
  }
  return largest
}

const identityStart = () =>
  JSON.stringify(startExamples.IDENTITY_DELIVERY).replace(
    /"email":"[^"]*"/,
    `"email":"${randomUUID()}@customers.example"`
  )

let photosSent = 0
const photoStart = () =>
  multipartBytes([jsonPart(startExamples.FINANCE_SALE), photoPart(distinctPhoto((photosSent += 1)))])

/** Probes for so long. */
export const probe = async (victim: Victim, millis: number): Promise<Noticed> => {
  const pool = new Pool(`http://127.0.0.1:${victim.port}`, {
    connections: 4,
    headersTimeout: longestAnswer,
    bodyTimeout: longestAnswer
  })
  const until = performance.now() + millis
  const isOn = () => performance.now() < until
  let asked = 0
  const nextKey = () => victim.liveKeys[(asked += 1) % victim.liveKeys.length] ?? ""
  const ask = async (method: "GET" | "POST", path: string, body?: string | Buffer, type = "application/json") => {
    const began = performance.now()
    const key = { authorization: `Bearer ${nextKey()}`, "idempotency-key": randomUUID() }
    const headers = body === undefined ? key : { ...key, "content-type": type }
    const answer = await pool
      .request({ method, path, headers, body: body ?? null })
      .then(async ({ body: answered, statusCode }) => ({ status: statusCode, text: await answered.text() }))
      .catch(() => ({ status: 0, text: "" }))
    return { ...answer, took: performance.now() - began }
  }
  const times = { starts: [] as Array<number>, reads: [] as Array<number> }
  const failures: Array<number> = []
  const seen = { photos: 0, photosRefused: 0 }
  const first = await ask("POST", "/api/v1/journeys", identityStart())
  const id = /"id":"([^"]+)"/.exec(first.text)?.[1] ?? "unknown"
  const again = async (every: number, what: () => Promise<unknown>) => {
    while (isOn()) {
      await what()
      await pause(every)
    }
  }
  const read = async () => {
    const { status, took } = await ask("GET", `/api/v1/journeys/${id}`)
    if (status === 200) times.reads.push(took)
    else failures.push(status)
  }
  const start = async () => {
    const { status, took } = await ask("POST", "/api/v1/journeys", identityStart())
    if (status === 202) times.starts.push(took)
    else failures.push(status)
  }
  const photo = async () => {
    seen.photos += 1
    const { status } = await ask("POST", "/api/v1/journeys", photoStart(), "multipart/form-data; boundary=a-boundary")
    if (status === 202) return
    seen.photosRefused += 1
    failures.push(status)
  }
  let largestRss = 0
  const memory = async () => {
    largestRss = Math.max(largestRss, await rssOf(victim.group))
  }
  const [signInMail] = await Promise.all([
    signInMailOf(victim),
    again(pauses.read, read),
    again(pauses.start, start),
    again(pauses.photo, photo),
    again(pauses.memory, memory)
  ])
  await pool.destroy()
  return { ...times, ...seen, failures, signInMail, largestRss }
}

const isSignIn = (text: string) => /sign in/i.test(text)

/** Asks for a link in the middle of the flood, and waits until the mail server has it. */
const signInMailOf = async ({ mails, members, port }: Victim): Promise<number | null> => {
  await pause(pauses.photo)
  const email = members.pop() ?? ""
  const address = `http://127.0.0.1:${port}/console/sign-in`
  const page = await fetch(address).catch(() => null)
  const cookie = (page?.headers.getSetCookie() ?? []).map((one) => one.split(";", 1)[0]).join("; ")
  const hidden = [...((await page?.text()) ?? "").matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const fields = hidden.map(([, name = "", value = ""]): [string, string] => [name, value])
  const began = performance.now()
  await fetch(address, {
    method: "POST",
    headers: { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin", cookie },
    body: new URLSearchParams([...fields, ["email", email]])
  }).catch(() => null)
  while (performance.now() - began < longestMailWait) {
    const came = mails.received.some(({ header, to }) => to.includes(email) && isSignIn(header("Subject") ?? ""))
    if (came) return performance.now() - began
    await pause(pauses.mail)
  }
  return null
}
