/** A server that takes every connection and never says a word, as a program that hangs does. */
import { createServer, type AddressInfo, type Socket } from "node:net"

export interface SilentServer {
  readonly port: number
  /** The connections that are open now, the most that ever were at once, and all that there have been. */
  readonly open: () => number
  readonly mostOpen: () => number
  readonly taken: () => number
  readonly stop: () => Promise<void>
}

export const startSilentServer = async (): Promise<SilentServer> => {
  const sockets = new Set<Socket>()
  let most = 0
  let taken = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    taken += 1
    most = Math.max(most, sockets.size)
    // What arrives is taken, or the other end would wait for room and not for an answer.
    socket.resume()
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    mostOpen: () => most,
    taken: () => taken,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        for (const socket of sockets) socket.destroy()
      })
  }
}
