/**
 * What `npm run bench:isolation` lets one company do beside others: photos, a video with its look, the archive of a case, and bodies
 * as large as they may be. Each load goes on until it is told to stop, and says how often it was served. What others notice is
 * measured in `isolation.ts`.
 */
import { hash, randomUUID } from "node:crypto"
import { Pool, type Dispatcher } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { httpLimits } from "../../src/http/server/limits.ts"
import { sentVideoLimits } from "../../src/schema/media/limits.ts"
import { startFieldLimits } from "../../src/schema/start/limits.ts"
import { CustomerBrowser, tokenIn } from "../http/app/CustomerBrowser.ts"
import { jsonPart, multipartBytes, photoPart } from "../support/multipart.ts"
import { distinctPhoto, withSegment } from "../support/photos.ts"
import { makeVideos } from "../support/videos.ts"
import { cameraPhoto } from "./cameraPhoto.ts"

/** The company that loads the service. */
export interface Loud {
  readonly baseUrl: string
  readonly companyId: string
  readonly liveKey: string
  readonly testKey: string
  readonly operator: string
}

/** How often a load was served and refused. */
export interface Served {
  served: number
  refused: number
}

/** Begins a load and answers with what ends it. */
export type Load = (loud: Loud, served: Served) => () => Promise<void>

/** A load with its name, and what it needs of the service beforehand. */
export type PreparedLoad = readonly [name: string, prepare: (loud: Loud) => Promise<Load>]

export const journeysPath = "/api/v1/journeys"
const retryAfter = 1000
/** As many photos as one company may have waiting on a machine with two cores, and a few more. */
const photosAtOnce = 12
const largeBodiesAtOnce = 4
const archivesAtOnce = 3

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Does something at so many places again and again, until it is told to stop. */
export const again = (places: number, what: (number: number) => Promise<boolean>, served: Served) => {
  const stopping = new AbortController()
  let number = 0
  const all = Array.from({ length: places }, async () => {
    while (!stopping.signal.aborted) {
      const isServed = await what((number += 1)).catch(() => false)
      if (isServed) served.served += 1
      else {
        served.refused += 1
        await pause(retryAfter)
      }
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(all)
  }
}

let sent = 0

/** One start with a photo, as one request. */
const photoStart = (key: string, journey: object, photo: Uint8Array) =>
  ({
    method: "POST",
    path: journeysPath,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "multipart/form-data; boundary=a-boundary",
      "idempotency-key": randomUUID()
    },
    body: multipartBytes([jsonPart(journey), photoPart(photo)])
  }) as const

/** What goes over so many connections at once. Each sends its next request when the answer to the last one has come. */
export interface Flood {
  readonly connections: number
  readonly request: (loud: Loud, number: number) => Dispatcher.RequestOptions
  /** Whether the service did what was asked. */
  readonly isServed: (status: number) => boolean
}

export const flood =
  ({ connections, isServed, request }: Flood): Load =>
  (loud, served) => {
    const pool = new Pool(loud.baseUrl, { connections, headersTimeout: 60_000 })
    const send = async (number: number) => {
      const { body, statusCode } = await pool.request(request(loud, number))
      await body.dump()
      return isServed(statusCode)
    }
    const stop = again(connections, send, served)
    return async () => {
      await stop()
      await pool.close()
    }
  }

const startWith = (key: (loud: Loud) => string, photo: (number: number) => Uint8Array): Load =>
  flood({
    connections: photosAtOnce,
    request: (loud) => photoStart(key(loud), startExamples.FINANCE_SALE, photo((sent += 1))),
    isServed: (status) => status === 202
  })

/** A start with a photo, sent again until it is taken: its id. With a test key it comes after all live photos that wait. */
export const startPhoto = async ({ baseUrl }: Loud, key: string, journey: object): Promise<string> => {
  for (;;) {
    const { path, ...sending } = photoStart(key, journey, distinctPhoto((sent += 1)))
    const response = await fetch(`${baseUrl}${path}`, sending)
    const { data } = (await response.json()) as { readonly data: { readonly id: string } | null }
    if (data !== null) return data.id
    await pause(retryAfter)
  }
}

/** Room for the other fields of a body with long notes. */
const otherFieldsBytes = 4096
const filled = (bytes: number): string =>
  JSON.stringify({ ...startExamples.CASH_SALE, notes: "n".repeat(bytes - otherFieldsBytes) })

/** JSON bodies and wrong callbacks up to their limits: all of them are read, and all of them are refused. */
const largeBodies = (): Promise<Load> => {
  const json = filled(httpLimits.largestJsonBytes)
  const callback = filled(httpLimits.largestIdentityCallbackBytes)
  const load = flood({
    connections: largeBodiesAtOnce,
    request: ({ testKey }, number) => ({
      method: "POST",
      ...(number % 2 === 0
        ? { path: journeysPath, body: json }
        : { path: `/callbacks/v1/identity/${randomUUID()}`, body: callback }),
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID()
      }
    }),
    isServed: (status) => status === 400 || status === 401
  })
  return Promise.resolve(load)
}

const asked = async (loud: Loud, path: string): Promise<Response> =>
  fetch(`${loud.baseUrl}/settings/v1${path}`, { headers: { authorization: `Bearer ${loud.operator}` } })

/** A customer at the page of the handover video, by the link of their mail. */
export const atVideoPage = async (loud: Loud) => {
  const { FINANCE_SALE } = startExamples
  const inStore = { ...FINANCE_SALE, delivery: { ...FINANCE_SALE.delivery, type: "IN_STORE" } }
  const id = await startPhoto(loud, loud.liveKey, inStore)
  let link: string | undefined
  while (link === undefined) {
    await pause(100)
    const mails = await (await asked(loud, `/mail?journeyId=${id}`)).text()
    link = /\/app\/l\/[A-Za-z0-9_-]+/.exec(mails)?.[0]
  }
  const customer = new CustomerBrowser(loud)
  await customer.signIn(link)
  return { id, customer, token: tokenIn(await customer.ask("/app/video")) }
}

type AtVideoPage = Awaited<ReturnType<typeof atVideoPage>>

/** Sends the video in parts as large as they may be, and has it looked at. */
const upload = async (loud: Loud, { customer, token }: AtVideoPage, video: Buffer): Promise<boolean> => {
  const send = (method: string, path: string, headers: Record<string, string>, body: Buffer | string | null = null) =>
    customer.ask(`/app/video-uploads${path}`, {
      method,
      body,
      headers: { origin: loud.baseUrl, "sec-fetch-site": "same-origin", "x-form-token": token, ...headers }
    })
  const begun = await send("POST", "", { "x-challenge": customer.challenge })
  const { id } = JSON.parse(begun.text) as { readonly id: string }
  const size = sentVideoLimits.largestPartBytes
  const parts = Math.ceil(video.length / size)
  for (let number = 0; number < parts; number += 1) {
    const bytes = video.subarray(number * size, (number + 1) * size)
    const headers = { "content-type": "application/octet-stream", "x-chunk-sha256": hash("sha256", bytes, "hex") }
    const { status } = await send("PUT", `/${id}/chunks/${number}`, headers, bytes)
    if (status !== 200) return false
  }
  const done = await send("POST", `/${id}/complete`, { "content-type": "application/json" }, `{"chunks":${parts}}`)
  return done.status === 200
}

const live = ({ liveKey }: Loud) => liveKey
const test = ({ testKey }: Loud) => testKey
/** A load that needs nothing for itself. */
const at = (load: Load) => () => Promise.resolve(load)

/** The loads by name. What they need beforehand is made here, before anything is measured. */
export const makeLoads = async (): Promise<ReadonlyArray<PreparedLoad>> => {
  const camera = cameraPhoto()
  const { large } = await makeVideos("large")
  const filling = Buffer.alloc(startFieldLimits.largestPhotoBytes - 2 ** 18)
  const huge = (number: number) => withSegment(camera, 0xfe, `number ${number}`)
  const heavy = (number: number) => Buffer.concat([distinctPhoto(number), filling])
  const archived = new Map<string, string>()

  const video = async (loud: Loud): Promise<Load> => {
    const customers = [await atVideoPage(loud), await atVideoPage(loud)]
    return (_, served) =>
      again(
        1,
        async () => {
          const next = customers.pop()
          // The look at the last video goes on meanwhile.
          if (next === undefined) return pause(retryAfter).then(() => true)
          const isDone = await upload(loud, next, large)
          if (isDone) archived.set(loud.companyId, next.id)
          return isDone
        },
        served
      )
  }
  /** What is kept of a case, whole: the export with its timeline, the photo and the video. */
  const archive = async (loud: Loud): Promise<Load> => {
    if (!archived.has(loud.companyId)) {
      const customer = await atVideoPage(loud)
      await upload(loud, customer, large)
      archived.set(loud.companyId, customer.id)
    }
    const journey = archived.get(loud.companyId) ?? ""
    const path = `/companies/${loud.companyId}/journeys/${journey}`
    return (_, served) =>
      again(
        archivesAtOnce,
        async () => {
          for (const part of ["/export", `/case/pictures/${journey}/customer-photo`, "/case/video"]) {
            const answer = await asked(loud, `${path}${part}`)
            await answer.arrayBuffer()
            if (!answer.ok) throw new Error(`${part}: ${answer.status}`)
          }
          return true
        },
        served
      )
  }
  return [
    ["photos of 14 KB, live key", at(startWith(live, distinctPhoto))],
    ["photos of 14 KB, test key", at(startWith(test, distinctPhoto))],
    ["photos of 12 megapixels, live key", at(startWith(live, huge))],
    ["files of 5 MB, live key", at(startWith(live, heavy))],
    ["a video of 17 MB and its look", video],
    ["export, photo and video of a case", archive],
    ["bodies of 1 MB", largeBodies]
  ]
}
