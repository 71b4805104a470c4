/**
 * The common part of the fake finance panel and the fake identity provider: a real HTTP server on loopback. It verifies
 * our signature as any provider should, recognises a repeated request by its id, and answers as the test says.
 */
import type { ServerResponse } from "node:http"
import { startReceiver, type Received } from "./receivers.ts"
import { verifySignature } from "../../src/actors/webhook/verifier.js"

/**
 * OK answers as agreed. A number answers with that status. RESET breaks the connection. SLOW answers as agreed once
 * `release` is called. SILENT takes the request and never answers. LOST takes the request and breaks the connection
 * instead of answering.
 */
export type Manner = "OK" | "SILENT" | "RESET" | "SLOW" | "LOST" | number

export interface Asked<Body> {
  readonly body: Body
  readonly idempotencyKey: string | undefined
  readonly contentType: string | undefined
  /** Signed a moment ago, with the secret that both sides know. */
  readonly isGenuine: boolean
}

export interface FakeProvider<Body> {
  readonly url: string
  readonly secret: string
  /** Every request, including repeated ones. */
  readonly asked: ReadonlyArray<Asked<Body>>
  /** The requests that were taken: each id once, however often it came. */
  readonly taken: ReadonlyMap<string, Body>
  /** From now on; a function decides by the request. */
  readonly behave: (manner: Manner | ((body: Body) => Manner)) => void
  /** Answers the requests that wait. */
  readonly release: () => void
  /** Runs after a request was taken and before it is answered. */
  readonly beforeAnswering: (act: (body: Body) => Promise<void>) => void
  readonly arrived: (count: number) => Promise<unknown>
  readonly stop: () => Promise<void>
}

const asAgreed = (): Manner => "OK"
const nothing = (): Promise<void> => Promise.resolve()

export const startFakeProvider = async <Body extends object>(options: {
  readonly secret: string
  readonly idOf: (body: Body) => string
  readonly answer: (body: Body) => { readonly status: number; readonly body: string }
}): Promise<FakeProvider<Body>> => {
  const asked: Array<Asked<Body>> = []
  const taken = new Map<string, Body>()
  const waiting: Array<() => void> = []
  let mannerOf: (body: Body) => Manner = asAgreed
  let before: (body: Body) => Promise<void> = nothing

  const isGenuine = ({ body, headers }: Received): boolean => {
    try {
      verifySignature({ body, headers, secret: options.secret })
      return /t=(\d+),/.exec(String(headers["service-signature"]))?.[1] === headers["service-timestamp"]
    } catch {
      return false
    }
  }

  const takeAndAnswer = async (body: Body, response: ServerResponse) => {
    const id = options.idOf(body)
    const manner = mannerOf(body)
    const isNew = !taken.has(id)
    if (isNew) taken.set(id, body)
    if (manner === "SILENT") return
    if (manner === "LOST") return void response.destroy()
    if (isNew) await before(body)
    const { body: text, status } = options.answer(body)
    response.writeHead(status, { "content-type": "application/json" }).end(text)
  }

  const receiver = await startReceiver((request, response) => {
    const body = JSON.parse(request.body.toString()) as Body
    const genuine = isGenuine(request)
    asked.push({
      body,
      idempotencyKey: request.headers["idempotency-key"] as string | undefined,
      contentType: request.headers["content-type"],
      isGenuine: genuine
    })
    if (!genuine) return void response.writeHead(401).end()
    const manner = mannerOf(body)
    if (typeof manner === "number") return void response.writeHead(manner, { location: receiver.url }).end()
    if (manner === "RESET") return void response.socket?.resetAndDestroy()
    if (manner === "SLOW") waiting.push(() => void takeAndAnswer(body, response))
    else void takeAndAnswer(body, response)
  })
  return {
    url: receiver.url,
    secret: options.secret,
    asked,
    taken,
    behave: (next) => {
      mannerOf = typeof next === "function" ? next : () => next
    },
    release: () => {
      mannerOf = asAgreed
      for (const answer of waiting.splice(0)) answer()
    },
    beforeAnswering: (act) => {
      before = act
    },
    arrived: receiver.arrived,
    stop: receiver.stop
  }
}
