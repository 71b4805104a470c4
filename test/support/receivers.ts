/**
 * Real receivers of webhooks on loopback. They keep what arrived, byte for byte, and answer as the test says. The tests
 * decide what must have arrived.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { eventually } from "./eventually.ts"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Epoch milliseconds. */
  readonly at: number
}

/** The `id` in the body of a received event. */
export const eventOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as {
    readonly id: string
    readonly type: string
    readonly createdAt: string
    readonly livemode: boolean
    readonly data: Readonly<Record<string, string | null>>
  }

export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Sets how requests are answered from now on. */
  readonly answer: (answer: Answering) => void
  /** Waits until so many have arrived. */
  readonly arrived: (count: number, withinMillis?: number) => Promise<ReadonlyArray<Received>>
  /** The connections that are open now. */
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export type Answering = number | ((request: Received, response: ServerResponse, raw: IncomingMessage) => void)

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Answers 200 until the test says otherwise, on a free port unless one is given. */
export const startReceiver = async (first: Answering = 200, at = 0): Promise<Receiver> => {
  const received: Array<Received> = []
  let answering = first
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        const one = { headers: request.headers, body, at: Date.now() }
        received.push(one)
        if (typeof answering === "function") answering(one, response, request)
        else response.writeHead(answering).end()
      },
      // The sender was cut off in the middle of its request.
      () => {}
    )
  })
  await new Promise<void>((done) => server.listen(at, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (answer) => {
      answering = answer
    },
    arrived: (count, withinMillis) =>
      eventually(
        () => received,
        (all) => all.length >= count,
        withinMillis
      ),
    connections: () =>
      new Promise((done, fail) =>
        server.getConnections((error, count) => (error === null ? done(count) : fail(error)))
      ),
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
  }
}
