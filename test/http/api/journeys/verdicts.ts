/**
 * How tests of start bodies ask over HTTP: take the example of a shape, change it at some paths, send it, and see either
 * "202" or the errors as "CODE field" lines behind their status. Refusals are held against the whole oracle.
 */
import { startBody } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { start, type Reply } from "../../../support/requests.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { changed, type Changes } from "../../../schema/start/judge.ts"
import { expect } from "vitest"
import { expectRefusal, rowCounts, type Ground } from "./oracle.ts"

export const shapes: ReadonlyArray<Shape> = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY",
  "CASH_SALE",
  "FINANCE_SALE"
]

/** Sends a start of a shape in the way the shape asks for. */
export const sendShape = (
  { dealer, service }: Ground,
  shape: Shape,
  changes: Changes = {},
  key: string = dealer.testKey
): Promise<Reply> => {
  const body = changed(startBody(shape), changes)
  return shape === "FINANCE_SALE"
    ? sendForm(service, key, { parts: [jsonPart(body), photoPart()] })
    : start(service, key, body)
}

export const verdictOf = (reply: Reply): string =>
  reply.code === null
    ? String(reply.status)
    : `${reply.status} ${reply.errors.map(({ code, field }) => `${code} ${field}`).join(", ")}`

/** Sends several bodies at once and holds each against its verdict; the refused ones must have created nothing. */
export const expectVerdicts = async (
  ground: Ground,
  shape: Shape,
  cases: ReadonlyArray<readonly [changes: Changes, verdict: string]>,
  key?: string
): Promise<void> => {
  for (const isAccepted of [false, true]) {
    const batch = cases.filter(([, verdict]) => (verdict === "202") === isAccepted)
    const before = await rowCounts(ground.service)
    const replies = await Promise.all(batch.map(([changes]) => sendShape(ground, shape, changes, key)))
    for (const [at, reply] of replies.entries()) {
      const [changes, verdict] = batch[at] ?? expect.fail()
      expect(verdictOf(reply), JSON.stringify(changes).slice(0, 300)).toBe(verdict)
      if (!isAccepted) expectRefusal(reply, verdict.split(" ", 2).join(" "))
    }
    const after = await rowCounts(ground.service)
    expect(after["journeys"]).toBe((before["journeys"] ?? 0) + (isAccepted ? batch.length : 0))
    if (!isAccepted) expect(after).toEqual(before)
  }
}
