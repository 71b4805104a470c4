/**
 * Stand-ins for the service and for what may stand before it: answers by the word of a test, given to a client in TypeScript in
 * place of `fetch`, or by a server to any client. Not a test itself.
 */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { vi } from "vitest"
import { ApiError } from "../../../src/runtime/client/lib/errors.ts"
import type { KeyedCallOptions } from "../../../src/runtime/client/lib/options.ts"
import type { AskedRequest } from "../../../src/runtime/client/lib/request.ts"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"

export type Reply =
  | "lost"
  | "silent"
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }

export const done: Reply = { status: 200, body: { success: true, data: "data", errors: null } }

export const refused = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "request-id": "r-1", ...headers },
  body: { success: false, data: null, errors: [{ field: "journey", code, message: "no" }] }
})

/** What a proxy before the service answers by itself. */
export const page = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  body: "<html>"
})

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body))

export class JourneyNotFound extends ApiError {}

/** A client whose requests are answered in this order, the last answer over and over. */
export const clientOf = (...replies: ReadonlyArray<Reply>) => {
  const sent: Array<{ readonly url: string; readonly headers: Headers; readonly body: unknown }> = []
  const transport = new Transport(
    {
      baseUrl: "https://journeys.example/",
      apiKey: "svc_test_x",
      fetch: (url, init) => {
        sent.push({ url: new Request(url).url, headers: new Headers(init?.headers), body: init?.body })
        const reply = replies[Math.min(sent.length, replies.length) - 1] ?? done
        if (reply === "lost") return Promise.reject(new TypeError("fetch failed"))
        if (reply === "silent") {
          return new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(new Error("aborted"))))
        }
        return Promise.resolve(new Response(textOf(reply.body), { status: reply.status, headers: reply.headers ?? {} }))
      }
    },
    (code) => (code === "JOURNEY_NOT_FOUND" ? JourneyNotFound : undefined)
  )
  const ask = (asked: Partial<AskedRequest>, options: KeyedCallOptions = {}) =>
    transport.call<string>({ method: "GET", path: "/api/v1/journeys", ...asked }, options)
  const call = (method: string, options: KeyedCallOptions = {}, isKeyed = method !== "GET") =>
    ask({ method, isKeyed }, options)
  return { sent, ask, call, keys: () => new Set(sent.map(({ headers }) => headers.get("idempotency-key"))) }
}

/** What comes of a call once all pauses are over. Needs fake timers. */
export const ended = async <A>(call: Promise<A>): Promise<A> => {
  call.catch(() => {})
  await vi.runAllTimersAsync()
  return call
}

interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that answers each path in the order given for it, and tells what arrived. */
export const answeringServer = async (replies: Readonly<Record<string, ReadonlyArray<Reply>>>) => {
  const arrived: Array<Arrived> = []
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "")
    const reply = replies[path]?.[arrived.filter((one) => one.path === path).length]
    const place = arrived.push({ path, headers: request.headers, body: "" }) - 1
    if (reply === "lost") request.socket.destroy()
    else if (reply !== "silent" && reply !== undefined) {
      const body = Buffer.concat(await request.toArray()).toString()
      arrived[place] = { path, headers: request.headers, body }
      response.writeHead(reply.status, reply.headers).end(textOf(reply.body))
    }
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (path: string) => arrived.filter((one) => one.path === path),
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
