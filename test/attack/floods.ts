/**
 * What one company, or nobody at all, may do to the service: each flood goes on until it is told to stop, within a bound of its
 * own. They attack the service of this run and nothing else. What others notice is measured in `probe.ts`.
 */
import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { Pool } from "undici"
import { startExamples } from "../../src/schema/start/examples.ts"
import { jsonPart, multipartBytes, photoPart } from "../support/multipart.ts"
import { distinctPhoto } from "../support/photos.ts"

export interface Target {
  readonly port: number
  readonly liveKeys: ReadonlyArray<string>
  readonly testKey: string
}

/** Begins a flood and answers with what ends it. */
export type Flood = (target: Target) => Promise<() => Promise<void>>

const host = "127.0.0.1"
const stalledUploads = 200
const announcedBytes = 5 * 2 ** 20
const sentBytes = 64 * 1024
const photosAtOnce = 28
const photoBytes = 2 ** 20
const startsOfBurst = 900
const startsAtOnce = 32
const listsAtOnce = 16
const idleConnections = 10_000
const connectedAtOnce = 500
const forgersAtOnce = 32
const retryAfter = 1000

/** Does something at so many places again and again, until it is told to stop. */
const again = (places: number, what: (number: number) => Promise<unknown>): (() => Promise<void>) => {
  const stopping = new AbortController()
  let number = 0
  const all = Array.from({ length: places }, async () => {
    while (!stopping.signal.aborted) {
      await what((number += 1)).catch(() => null)
      // What fails at once must not keep everything else from its turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(all)
  }
}

const asker = ({ port }: Target, connections: number) => {
  const pool = new Pool(`http://${host}:${port}`, { connections })
  const ask = async (method: "GET" | "POST", path: string, key: string, body?: string | Buffer, type?: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "idempotency-key": randomUUID(),
      ...(body === undefined ? {} : { "content-type": type ?? "application/json" })
    }
    const { body: answered, statusCode } = await pool.request({ method, path, headers, body: body ?? null })
    await answered.dump()
    // Within its limits: a company waits as a refusal asks for. Strangers do not.
    if (statusCode === 429 || statusCode === 503) await new Promise((resolve) => setTimeout(resolve, retryAfter))
  }
  return { ask, close: () => pool.destroy() }
}

const path = "/api/v1/journeys"
const oneOf = (keys: ReadonlyArray<string>, number: number): string => keys[number % keys.length] ?? ""

/** One test key announces many large uploads, sends their beginnings and waits. */
const stalled: Flood = async ({ port, testKey }) => {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
    `Content-Length: ${announcedBytes}\r\n`
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, host)
      sockets.add(socket)
      socket.on("error", () => {}).on("data", () => socket.destroy())
      socket.once("close", () => {
        sockets.delete(socket)
        resolve()
      })
      socket.write(`${head}Idempotency-Key: ${randomUUID()}\r\n\r\n--b\r\n`)
      socket.write(Buffer.alloc(sentBytes, "a"))
    })
  const sockets = new Set<Socket>()
  const stop = again(stalledUploads, async () => {
    await one()
    await new Promise((resolve) => setTimeout(resolve, retryAfter))
  })
  return async () => {
    const ended = stop()
    for (const socket of sockets) socket.destroy()
    await ended
  }
}

/** The first of the numbers that make photos distinct; they have as many digits as this one. */
const firstPhoto = 1_000_000

/** A start with a photo, and how another photo gets into the same bytes: fresh memory for each would be the attacker's own work. */
const photoStart = () => {
  const photo = Buffer.concat([distinctPhoto(firstPhoto), Buffer.alloc(photoBytes)])
  const body = multipartBytes([jsonPart(startExamples.FINANCE_SALE), photoPart(photo)])
  const at = body.indexOf(String(firstPhoto), body.indexOf("image/jpeg"))
  return {
    withPhoto: (number: number): Buffer => {
      body.write(String(firstPhoto + number), at, "latin1")
      return body
    }
  }
}

/** One company sends as many photos as it may, each another one. */
const photos =
  (keyOf: (target: Target) => string): Flood =>
  async (target) => {
    const { ask, close } = asker(target, photosAtOnce)
    const free = Array.from({ length: photosAtOnce }, photoStart)
    const stop = again(photosAtOnce, async (number) => {
      const start = free.pop() ?? photoStart()
      const body = start.withPhoto(number)
      await ask("POST", path, keyOf(target), body, "multipart/form-data; boundary=a-boundary").finally(() =>
        free.push(start)
      )
    })
    return async () => {
      const ended = stop()
      await close()
      await ended
    }
  }

/** One company starts as many journeys as its keys may in a minute: each start owes mails. */
const mailBurst: Flood = async (target) => {
  const { ask, close } = asker(target, startsAtOnce)
  const body = JSON.stringify(startExamples.IDENTITY_DELIVERY)
  const stop = again(startsAtOnce, async (number) => {
    if (number > startsOfBurst) return new Promise((resolve) => setTimeout(resolve, 100))
    const email = `"email":"burst-${randomUUID()}@customers.example"`
    return ask("POST", path, oneOf(target.liveKeys, number), body.replace(/"email":"[^"]*"/, email))
  })
  return async () => {
    await stop()
    await close()
  }
}

/** One company asks for the last pages of long lists with all its keys. */
const lists: Flood = async (target) => {
  const { ask, close } = asker(target, listsAtOnce)
  const queries = [
    "page=999&size=100",
    "status=EXPIRED",
    "externalReference=nobody",
    "page=20000000",
    "status=ACTIVE&page=99"
  ]
  const stop = again(listsAtOnce, (number) =>
    ask("GET", `${path}?${oneOf(queries, number)}`, oneOf(target.liveKeys, number))
  )
  return async () => {
    await stop()
    await close()
  }
}

/** Nobody in particular opens connections and says nothing. */
const idle: Flood = async ({ port }) => {
  const sockets: Array<Socket> = []
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, host)
      sockets.push(socket)
      socket
        .on("error", () => {})
        .once("connect", resolve)
        .once("close", resolve)
    })
  for (let opened = 0; opened < idleConnections; opened += connectedAtOnce) {
    await Promise.all(Array.from({ length: connectedAtOnce }, one))
  }
  return async () => {
    for (const socket of sockets) socket.destroy()
  }
}

/** Nobody in particular tries keys of the right form. */
const forged: Flood = async (target) => {
  const { ask, close } = asker(target, forgersAtOnce)
  const stop = again(forgersAtOnce, () => ask("GET", path, `svc_live_${randomUUID().replaceAll("-", "").slice(0, 38)}`))
  return async () => {
    await stop()
    await close()
  }
}

export const floods: ReadonlyArray<readonly [name: string, begin: Flood]> = [
  [`${stalledUploads} stalled uploads, one test key`, stalled],
  [`${photosAtOnce} photos at once, test key`, photos(({ testKey }) => testKey)],
  [`${photosAtOnce} photos at once, live key`, photos(({ liveKeys }) => oneOf(liveKeys, 0))],
  [`${startsOfBurst} starts with their mails`, mailBurst],
  ["lists, far pages", lists],
  [`${idleConnections} idle connections`, idle],
  ["forged keys", forged]
]
