/**
 * `npm run bench:photo-load`: the effect of photos on everybody else. The service runs as a process of its own. One
 * client reads a journey again and again, first alone and then while others send photos, each a different file. The
 * output has the times of the reads, how late the event loop of the service was, and its memory; it also has them after
 * photo bombs. Compare rows of one run only.
 *
 * BENCH_DATABASE_URL as for `npm run bench`. BENCH_PHOTOS and BENCH_SECONDS set the sizes.
 */
import { Pool } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { jsonPart, multipartBytes, photoPart } from "../support/multipart.ts"
import { photoBombs } from "../support/photoBombs.ts"
import { distinctPhoto, facePhoto, withSegment } from "../support/photos.ts"
import { cameraPhoto } from "./cameraPhoto.ts"
import type { Probed } from "./loopProbe.ts"
import { withDatabase, withService, type Running } from "./running.ts"
import { freePort } from "../support/freePort.ts"

const photos = Number(process.env["BENCH_PHOTOS"] ?? 100)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10)
const bombs = 50
const largePhotos = Math.ceil(photos / 5)
const atOnce = 5
const readEveryMillis = 5
const betweenUsualStarts = 500
/** The wait that a 503 asks for. */
const retryAfterMillis = 1000

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

const row = (name: string, values: ReadonlyArray<number | string>): void =>
  console.log(
    name.padEnd(36) + values.map((value) => (typeof value === "number" ? value.toFixed(1) : value).padStart(9)).join("")
  )

const isTaken = (status: number) => status === 202

/**
 * Reads one after another until it is told to stop, with pauses, because without them the reads would be a load of
 * their own.
 */
const readsWhile = async (
  reader: Pool,
  id: string,
  authorization: string,
  isOn: () => boolean
): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  while (isOn()) {
    const began = performance.now()
    const answer = await reader.request({ method: "GET", path: `/api/v1/journeys/${id}`, headers: { authorization } })
    await answer.body.dump()
    const took = performance.now() - began
    times.push(took)
    if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}`)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, readEveryMillis - took)))
  }
  return times
}

/** The clients of the measurement, and what they can measure. */
const measurements = async ({ key, port }: Running, probe: () => Promise<Probed>) => {
  const client = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce, pipelining: 1, headersTimeout: 60_000 })
  const reader = new Pool(`http://127.0.0.1:${port}`, { connections: 1, pipelining: 1 })
  const authorization = `Bearer ${key}`
  let sent = 0

  const send = async (photo: Uint8Array): Promise<{ readonly status: number; readonly id: string }> => {
    const answer = await client.request({
      method: "POST",
      path: "/api/v1/journeys",
      headers: {
        authorization,
        "content-type": "multipart/form-data; boundary=a-boundary",
        "idempotency-key": `photo-load-${(sent += 1)}`
      },
      body: multipartBytes([jsonPart(startExamples.FINANCE_SALE), photoPart(photo)])
    })
    const { data } = (await answer.body.json()) as { readonly data: { readonly id: string } | null }
    return { status: answer.statusCode, id: data?.id ?? "" }
  }

  const { id, status } = await send(distinctPhoto(0))
  if (status !== 202) throw new Error(`a photo was answered ${status}`)

  const readWhile = (isOn: () => boolean) => readsWhile(reader, id, authorization, isOn)

  const report = async (name: string, reads: ReadonlyArray<number>, rate: string): Promise<void> => {
    const { memory, most, mostMemory, p50, p99 } = await probe()
    row(name, [
      rate,
      String(reads.length),
      percentile(reads, 0.5),
      percentile(reads, 0.99),
      p50,
      p99,
      most,
      memory.toFixed(0),
      mostMemory.toFixed(0)
    ])
  }

  const idle = async (name: string): Promise<void> => {
    await probe()
    const end = performance.now() + seconds * 1000
    await report(name, await readWhile(() => performance.now() < end), "")
  }

  /** The usual load: reads beside starts without photos, about as many as the photos that are looked at. */
  const usual = async (name: string): Promise<void> => {
    await probe()
    const end = performance.now() + seconds * 1000
    const starting = (async () => {
      for (let number = 0; performance.now() < end; number += 1) {
        const answer = await client.request({
          method: "POST",
          path: "/api/v1/journeys",
          headers: {
            authorization,
            "content-type": "application/json",
            "idempotency-key": `photo-load-usual-${number}`
          },
          body: JSON.stringify(startExamples.CASH_SALE)
        })
        await answer.body.dump()
        await new Promise((resolve) => setTimeout(resolve, betweenUsualStarts))
      }
    })()
    const reads = await readWhile(() => performance.now() < end)
    await starting
    await report(name, reads, "")
  }

  /** Sends `count` photos, so many at a time. A photo that gets a 503 is sent again. */
  const loaded = async (
    name: string,
    count: number,
    photo: (number: number) => Uint8Array,
    expected: (status: number) => boolean
  ) => {
    await probe()
    const numbers = Array.from({ length: count }, (_, at) => at).values()
    const sending = { left: atOnce }
    const began = performance.now()
    const times: Array<number> = []
    let repeated = 0
    const lanes = Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const number of numbers) {
          const bytes = photo(number)
          const from = performance.now()
          while (!expected((await send(bytes)).status)) {
            repeated += 1
            await new Promise((resolve) => setTimeout(resolve, retryAfterMillis))
          }
          times.push(performance.now() - from)
        }
        sending.left -= 1
      })
    )
    const reads = await readWhile(() => sending.left > 0)
    await lanes
    const rate = (count * 1000) / (performance.now() - began)
    await report(name, reads, rate.toFixed(2))
    console.log(
      `${"".padEnd(36)}  a photo: p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms` +
        (repeated > 0 ? `; ${repeated} answered 503 and sent again` : "")
    )
  }

  return { idle, usual, loaded, close: () => Promise.all([client.close(), reader.close()]) }
}

const bench = async (running: Running, probe: () => Promise<Probed>): Promise<void> => {
  const { close, idle, loaded, usual } = await measurements(running, probe)
  row("", ["photos/s", "reads", "p50 ms", "p99 ms", "late p50", "late p99", "most", "MB", "most MB"])
  await idle("warming up")
  await idle("reads alone")
  await usual("reads beside 2 starts a second")
  await loaded(`${photos} photos of 14 KB`, photos, (number) => distinctPhoto(number + 1), isTaken)
  const fiveMegabytes = 5 * 1024 * 1024
  await loaded(
    `${largePhotos} files of 5 MB`,
    largePhotos,
    (number) => Buffer.concat([distinctPhoto(number + 1000)], fiveMegabytes),
    isTaken
  )
  const camera = cameraPhoto()
  await loaded(
    `${largePhotos} photos of 12 megapixels, ${(camera.length / 1e6).toFixed(1)} MB`,
    largePhotos,
    (number) => withSegment(camera, 0xfe, `number ${number}`),
    isTaken
  )
  const list = photoBombs().map(({ photo }) => photo())
  await loaded(
    `${bombs} bombs`,
    bombs,
    (number) => list[number % list.length] ?? facePhoto(),
    (status) => status === 202 || status === 400
  )
  await idle("reads alone, after")
  await close()
}

const probePort = await freePort()
const probe = async (): Promise<Probed> => (await (await fetch(`http://127.0.0.1:${probePort}`)).json()) as Probed
const probing = {
  NODE_OPTIONS: `--import=${new URL("loopProbe.ts", import.meta.url).href}`,
  BENCH_PROBE_PORT: String(probePort)
}

await withDatabase((databaseUrl) => withService(databaseUrl, probing, (running) => bench(running, probe)))
