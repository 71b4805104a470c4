/**
 * A closed-loop HTTP client for measurements: a number of connections, each of which sends its next request when the
 * answer to the last one has come. It is a process of its own, so that it has its own event loop. It knows just enough
 * HTTP/1.1 for answers with a Content-Length, and prints one line of JSON.
 */
import { connect } from "node:net"
import { text } from "node:stream/consumers"

interface Plan {
  /** Of the nodes of one service, which share the connections. */
  readonly ports: ReadonlyArray<number>
  readonly connections: number
  /** Milliseconds. */
  readonly duration: number
  readonly kind: "start" | "read" | "decide"
  /** Of a company each: the companies take turns, and each reads and decides what its own turn started. */
  readonly apiKeys: ReadonlyArray<string>
  readonly body: string
  /** Unique to this run, and part of the Idempotency-Keys. */
  readonly run: string
  /** The number of starts. Without it, as many as the time allows. */
  readonly most?: number
  /** Milliseconds between an answer and the next request of its connection: reads that are no load of their own. */
  readonly pause?: number
  readonly ids: ReadonlyArray<string>
}

// The plan comes on standard input, because its ids do not fit a command line.
const plan = JSON.parse(await text(process.stdin)) as Plan
const { apiKeys } = plan
const headersOf = apiKeys.map(
  (key) => `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
)
let sent = 0

/** The request of this number, or null when nothing is left to ask. Every journey is decided once. */
const requestOf = (number: number): string | null => {
  const at = plan.kind === "start" ? number : number % plan.ids.length
  const headers = headersOf[at % apiKeys.length]
  if (plan.kind === "start") {
    if (number >= (plan.most ?? Number.POSITIVE_INFINITY)) return null
    const name = `${plan.run}-${number}`
    const body = plan.body.replaceAll("{{n}}", name)
    return `POST /api/v1/journeys HTTP/1.1\r\n${headers}Idempotency-Key: bench-${name}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
  if (plan.kind === "read") return `GET /api/v1/journeys/${plan.ids[at]} HTTP/1.1\r\n${headers}\r\n`
  if (number >= plan.ids.length) return null
  const body = JSON.stringify({ decision: "APPROVED" })
  return `POST /api/v1/journeys/${plan.ids[number]}/finance-decision HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
}

const latencies: Array<number> = []
const ids: Array<string> = []
let failures = 0
const began = performance.now()
const ends = began + plan.duration

const runConnection = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    let received = ""
    let sentAt = 0
    let number = 0
    const next = () => {
      number = sent++
      const request = performance.now() < ends ? requestOf(number) : null
      if (request === null) {
        socket.end()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on("connect", next)
    socket.on("error", reject)
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      const headEnd = received.indexOf("\r\n\r\n")
      if (headEnd === -1) return
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (received.length < headEnd + 4 + length) return
      latencies.push(performance.now() - sentAt)
      if (received.startsWith("HTTP/1.1 20")) {
        if (plan.kind === "start") ids[number] = /"id":"([^"]+)"/.exec(received)?.[1] ?? ""
      } else failures++
      received = received.slice(headEnd + 4 + length)
      if (plan.pause === undefined) next()
      else setTimeout(next, plan.pause)
    })
  })

await Promise.all(
  Array.from({ length: plan.connections }, (_, at) => runConnection(plan.ports[at % plan.ports.length] ?? 0))
)
const seconds = (performance.now() - began) / 1000
latencies.sort((a, b) => a - b)
const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
process.stdout.write(
  JSON.stringify({
    rate: latencies.length / seconds,
    count: latencies.length,
    p50: percentile(0.5),
    p99: percentile(0.99),
    most: latencies.at(-1) ?? 0,
    failures,
    ids: ids.slice(0, 60_000)
  })
)
