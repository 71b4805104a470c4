/** Callbacks as an outside provider sends them: signed over their bytes unless a test says otherwise. */
import { createHmac } from "node:crypto"
import type { Answer } from "./companies.ts"

export interface CallbackWishes {
  readonly secret: string
  /** An object is sent as JSON, a string and bytes as they are. */
  readonly body: unknown
  /** The time of the signature, in seconds from now. */
  readonly skew?: number
  /** Changes the headers just before they are sent. `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export const signatureOf = (secret: string, unixSeconds: number, body: string | Uint8Array): string =>
  createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex")

const unixSeconds = (skew = 0): number => Math.floor(Date.now() / 1000) + skew

export const sendCallback = async (
  service: { readonly baseUrl: string },
  path: string,
  { body, headers = {}, secret, skew }: CallbackWishes
): Promise<Answer> => {
  const bytes = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
  const t = unixSeconds(skew)
  const all = {
    "content-type": "application/json",
    "service-timestamp": String(t),
    "service-signature": `t=${t},v1=${signatureOf(secret, t, bytes)}`,
    ...headers
  }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${service.baseUrl}${path}`, { method: "POST", headers: sent, body: bytes })
  const envelope = (await response.json()) as Omit<Answer, "status" | "headers">
  return { ...envelope, status: response.status, headers: response.headers }
}

/**
 * The same list in another order with some entries repeated, as a provider sends it that retries over several
 * connections.
 */
export const reordered = <A>(list: ReadonlyArray<A>, seed: number): ReadonlyArray<A> => {
  let state = seed >>> 0
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pool = [...list, ...list.filter(() => next(2) === 0)]
  const order: Array<A> = []
  while (pool.length > 0) order.push(...pool.splice(next(pool.length), 1))
  return order
}
