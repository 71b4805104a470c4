/**
 * A receiver over TLS on loopback that takes connections, and begins their handshakes only when the test lets it. It keeps what
 * arrives and answers 500.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import * as net from "node:net"
import type { Received } from "./receivers.ts"

const file = (name: string) => readFileSync(new URL(`../runtime/certificates/${name}`, import.meta.url), "utf8")

/** Whoever signed the receiver's certificate, as PEM. */
export const receiverAuthority = file("authority.pem")

export interface HeldReceiver {
  readonly url: string
  readonly port: number
  readonly received: ReadonlyArray<Received>
  /** How many connections have been taken since the start. */
  readonly connections: () => number
  /** Resolves when so many have been taken. */
  readonly taken: (count: number) => Promise<void>
  /** Resolves when so many requests have arrived since the start. */
  readonly arrived: (count: number) => Promise<void>
  /** Resolves when no connection is open any more. Handshakes that wait can begin no more: what waits is read and thrown away. */
  readonly left: () => Promise<void>
  /** Begins the handshakes of the connections that wait, and of those to come at once. */
  readonly letGo: () => void
  readonly stop: () => Promise<void>
}

export const startHeldReceiver = async (): Promise<HeldReceiver> => {
  const changed = new Set<() => void>()
  const tell = () => changed.forEach((look) => look())
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return
        changed.delete(look)
        resolve()
      }
      changed.add(look)
      look()
    })

  const received: Array<Received> = []
  const open = new Set<net.Socket>()
  let held: Array<net.Socket> | null = []
  let taken = 0
  const secured = createServer({ cert: file("good.pem"), key: file("good.key") }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks), at: Date.now() })
      response.writeHead(500).end()
      tell()
    })
  })
  const listening = net.createServer({ pauseOnConnect: true }, (socket) => {
    taken += 1
    open.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => {
      open.delete(socket)
      tell()
    })
    if (held === null) secured.emit("connection", socket)
    else held.push(socket)
    tell()
  })
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  const { port } = listening.address() as net.AddressInfo
  return {
    url: `https://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => taken,
    taken: (count) => until(() => taken >= count),
    arrived: (count) => until(() => received.length >= count),
    left: () => {
      for (const socket of held ?? []) socket.resume()
      return until(() => open.size === 0)
    },
    letGo: () => {
      const waiting = held ?? []
      held = null
      for (const socket of waiting) secured.emit("connection", socket)
    },
    stop: () =>
      new Promise((resolve) => {
        secured.closeAllConnections()
        for (const socket of open) socket.destroy()
        listening.close(() => resolve())
      })
  }
}
