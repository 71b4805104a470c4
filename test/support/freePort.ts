/**
 * A port of loopback on which nobody listens now, for servers that keep their port over restarts. It is none of those that the system
 * gives to connections (32768 and more on Linux): of these one could be taken before its server starts again.
 */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

const [first, end] = [20_000, 32_000]

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${first} to ${end}`)
}
