/** A connection on which nothing comes: browsers open some ahead of need. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { connect } from "node:net"
import { startService, type Service } from "../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** What comes until the service closes the connection. */
const heardOn = (sent: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl)
    const socket = connect(Number(port), hostname)
    let heard = ""
    socket.setEncoding("utf8")
    socket.on("data", (text: string) => (heard += text))
    socket.on("error", reject)
    socket.on("close", () => resolve(heard))
    socket.write(sent)
  })

it("a connection that never said a word is closed without one, and one that began is answered", async () => {
  const [silent, begun] = await Promise.all([heardOn(""), heardOn("GET / HTTP/1.1\r\n")])
  expect(silent).toBe("")
  expect(begun).toMatch(/^HTTP\/1\.1 408 /)
}, 60_000)
