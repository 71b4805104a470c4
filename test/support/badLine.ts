/**
 * A bad line to the service, for one customer: a TCP proxy that loses, now and then, a large request on its way, or the answer
 * to one that has arrived. What is small always passes, so that a lost page never hides what a test is about. How slow
 * the line is, the browser is told.
 */
import { connect, createServer, type Socket } from "node:net"

export interface BadLine {
  /** The service's address over this line. */
  readonly url: string
  /** How many requests did not arrive, and how many answers to requests that did. */
  readonly lost: () => { readonly requests: number; readonly answers: number }
  readonly close: () => Promise<void>
}

/** Bytes: a photo, a video, or a part of one. */
const large = 12 * 1024

/** What becomes of each large request, over and over. */
const fates = ["REQUEST_LOST", "PASSES", "ANSWER_LOST", "PASSES", "PASSES"] as const

export const startBadLine = async (baseUrl: string): Promise<BadLine> => {
  const { hostname, port } = new URL(baseUrl)
  const sockets = new Set<Socket>()
  const lost = { requests: 0, answers: 0 }
  let met = 0

  const listener = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => sockets.delete(socket))
    }
    const cut = () => {
      client.resetAndDestroy()
      server.destroy()
    }
    let sent = 0
    let fate: (typeof fates)[number] = "PASSES"
    client.on("data", (bytes) => {
      const isLarge = sent + bytes.length > large
      if (sent <= large && isLarge) {
        fate = fates[met % fates.length] ?? "PASSES"
        met += 1
      }
      sent += bytes.length
      if (fate !== "REQUEST_LOST") return void server.write(bytes)
      lost.requests += 1
      cut()
    })
    server.on("data", (bytes) => {
      if (fate === "ANSWER_LOST") {
        lost.answers += 1
        return cut()
      }
      sent = 0
      client.write(bytes)
    })
    server.on("close", () => client.destroy())
    client.on("close", () => server.destroy())
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    lost: () => lost,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
