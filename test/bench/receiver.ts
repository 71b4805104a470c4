/**
 * A receiver of webhooks that costs almost nothing, as a process of its own, on raw sockets with just enough HTTP/1.1.
 * It counts distinct events, verifies one signature in sixteen with the module that receivers use, and times each event
 * from its `createdAt`. It prints its port. On standard input it takes the endpoint's secret, `stats` and `reset`, and
 * it prints its figures for the last two.
 */
import { createServer, type Socket } from "node:net"
import { createInterface } from "node:readline"
import { verifyWebhook } from "../../src/actors/webhook/verifier.js"

let secret = ""
const checkedOneIn = 16
const mostArrivals = 10_000
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

let requests = 0
let forged = 0
let ids = new Set<string>()
let latencies: Array<number> = []
/** When the events of each journey arrived, in milliseconds since the epoch. */
let arrivals: Array<readonly [journeyId: string, at: number]> = []

const valueOf = (head: string, name: string): string => {
  const at = head.toLowerCase().indexOf(`\r\n${name}: `)
  return at === -1 ? "" : head.slice(at + name.length + 4, head.indexOf("\r\n", at + 2))
}

const take = (head: string, body: Buffer): void => {
  requests += 1
  const id = valueOf(head, "service-event-id")
  if (secret !== "" && requests % checkedOneIn === 0) {
    try {
      verifyWebhook({ body, signature: valueOf(head, "service-signature"), secret })
    } catch {
      forged += 1
    }
  }
  if (ids.has(id)) return
  ids.add(id)
  const text = body.toString("latin1")
  const now = performance.timeOrigin + performance.now()
  latencies.push(now - Date.parse(/"createdAt":"([^"]+)"/.exec(text)?.[1] ?? ""))
  if (arrivals.length < mostArrivals) arrivals.push([/"journeyId":"([^"]+)"/.exec(text)?.[1] ?? "", now])
}

const serve = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf("\r\n\r\n")
      if (end === -1) return
      const head = rest.toString("latin1", 0, end + 2)
      const whole = end + 4 + Number(valueOf(head, "content-length"))
      if (rest.length < whole) return
      take(head, rest.subarray(end + 4, whole))
      rest = rest.subarray(whole)
      socket.write(ok)
    }
  })
}

const server = createServer(serve).listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" && address !== null ? address.port : 0 }))
})

const percentile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0

createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line.startsWith("whsec_")) {
      secret = line
      return
    }
    latencies.sort((a, b) => a - b)
    console.log(
      JSON.stringify({
        requests,
        distinct: ids.size,
        forged,
        p50: percentile(0.5),
        p99: percentile(0.99),
        arrivals: line === "reset" ? arrivals : []
      })
    )
    if (line !== "reset") return
    requests = 0
    ids = new Set()
    latencies = []
    arrivals = []
  })
  .on("close", () => process.exit(0))
