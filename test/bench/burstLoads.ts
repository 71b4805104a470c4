/**
 * What `npm run bench:isolation` lets one company send on many connections at once: starts, reads of one journey as of callers who wait for it,
 * and a page of a customer. Each connection sends its next request when the answer to the last one has come.
 */
import { randomUUID } from "node:crypto"
import { journeyPagePath } from "../../src/actors/customer/appPaths.ts"
import { startExamples } from "../../src/schema/start/examples.ts"
import {
  again,
  atVideoPage,
  flood,
  journeysPath,
  startPhoto,
  type Flood,
  type Load,
  type Loud,
  type PreparedLoad
} from "./isolationLoads.ts"
import { bodyOf } from "./loading.ts"

const requestsAtOnce = 128

const burst = (request: Flood["request"]): Load =>
  flood({ connections: requestsAtOnce, request, isServed: (status) => status < 300 })

const startBody = bodyOf(startExamples.IDENTITY_DELIVERY)
const starts = burst(({ liveKey }) => ({
  method: "POST",
  path: journeysPath,
  headers: {
    authorization: `Bearer ${liveKey}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID()
  },
  body: startBody.replace("{{n}}", randomUUID())
}))

const reads = async (loud: Loud): Promise<Load> => {
  const id = await startPhoto(loud, loud.liveKey, startExamples.FINANCE_SALE)
  const path = `${journeysPath}/${id}`
  return burst(({ liveKey }) => ({ method: "GET", path, headers: { authorization: `Bearer ${liveKey}` } }))
}

const pages = async (loud: Loud): Promise<Load> => {
  const { customer } = await atVideoPage(loud)
  return (_, served) => again(requestsAtOnce, async () => (await customer.ask(journeyPagePath)).status === 200, served)
}

/** The loads by name. */
export const bursts: ReadonlyArray<PreparedLoad> = [
  [`starts, ${requestsAtOnce} at once`, () => Promise.resolve(starts)],
  [`reads, ${requestsAtOnce} at once`, reads],
  [`a customer's page, ${requestsAtOnce} at once`, pages]
]
