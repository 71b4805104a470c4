/**
 * Callers as integrators write them: every start has an Idempotency-Key, and whatever fails is sent again with the same
 * key to any node. They keep a log. `verdict.ts` decides what must be true of it.
 */
import { startExamples } from "../../src/schema/start/examples.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import type { ClientLog, Start } from "./ClientLog.ts"
import type { Dice } from "./Dice.ts"

const shapes: ReadonlyArray<Shape> = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY",
  "CASH_SALE"
]

/** A caller gives up one request after this time and asks another node. */
const patienceMillis = 8000
/** Between two tries of one request. */
const againMillis = 150
/** The share of starts whose caller loses interest after a refusal. */
const losesInterest = 0.05

export interface Callers {
  readonly baseUrls: () => ReadonlyArray<string>
  readonly apiKey: string
  readonly log: ClientLog
  readonly dice: Dice
  /** Unique to the run. */
  readonly run: string
}

type Heard =
  | { readonly status: number; readonly code: string | null; readonly data: unknown }
  | "dropped"
  | "unreachable"

const isRefusedConnection = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { readonly code?: string } | undefined)?.code === "ECONNREFUSED"

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** One request to any node that is there. */
export const ask = async (
  { apiKey, baseUrls, dice, log }: Callers,
  path: string,
  body: unknown,
  key: string
): Promise<Heard> => {
  try {
    const response = await fetch(`${dice.oneOf(baseUrls())}/api/v1/journeys${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "idempotency-key": key
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMillis)
    })
    const { data, errors } = (await response.json()) as {
      readonly data: unknown
      readonly errors: ReadonlyArray<{ readonly code: string }> | null
    }
    log.answers += 1
    if (response.status === 503) log.refusals += 1
    return { status: response.status, code: errors?.[0]?.code ?? null, data }
  } catch (error) {
    // Nobody accepted the connection, so nothing was asked and nothing was dropped.
    if (isRefusedConnection(error)) log.unreachable += 1
    else log.drops += 1
    return isRefusedConnection(error) ? "unreachable" : "dropped"
  }
}

const startOnce = async (callers: Callers, start: Start): Promise<void> => {
  const { dice, log } = callers
  for (;;) {
    const heard = await ask(callers, "", start.body, start.key)
    if (heard === "dropped") start.drops += 1
    else if (heard === "unreachable") {
      await wait(againMillis)
      continue
    } else if (heard.status === 503) start.refusals += 1
    else if (heard.status === 202 || heard.status === 200) {
      start.acknowledged = heard.data as Start["acknowledged"]
      return
    } else {
      log.wrongs.push(`start ${start.key}: ${heard.status} ${heard.code}`)
      start.isAbandoned = true
      return
    }
    if (dice.next() < losesInterest) {
      start.isAbandoned = true
      return
    }
    await wait(againMillis)
  }
}

/** Answers to an operation that are right while others, and the sandbox itself, work at the same journey. */
const legal = new Set(["JOURNEY_FINISHED", "FINANCE_ALREADY_DECIDED", "CONFLICT"])

const operate = async (callers: Callers, journeyId: string, kind: "cancel" | "decision"): Promise<void> => {
  const { log } = callers
  const key = `${kind}-${journeyId}`
  const body = kind === "cancel" ? { reason: "The customer bought elsewhere" } : { decision: "APPROVED" }
  const path = `/${journeyId}/${kind === "cancel" ? "cancel" : "finance-decision"}`
  for (;;) {
    const heard = await ask(callers, path, body, key)
    if (typeof heard !== "string" && heard.status !== 503) {
      if (heard.status === 200) log.done.push({ journeyId, kind, key })
      else if (heard.status !== 409 || !legal.has(heard.code ?? ""))
        log.wrongs.push(`${kind} of ${journeyId}: ${heard.status} ${heard.code}`)
      return
    }
    await wait(againMillis)
  }
}

/** One caller: starts journeys and works at some of them until it is told to stop. */
export const caller = async (callers: Callers, name: number, isOver: () => boolean): Promise<void> => {
  const { dice, log, run } = callers
  for (let number = 0; !isOver(); number += 1) {
    const shape = dice.oneOf(shapes)
    const key = `${run}-${name}-${number}`
    const example = startExamples[shape]
    const start: Start = {
      key,
      body: {
        ...example,
        externalReference: key,
        // Every other customer returns.
        customer: { ...example.customer, email: `${run}-${name}-${number - (number % 2)}@example.com` }
      },
      acknowledged: null,
      refusals: 0,
      drops: 0,
      isAbandoned: false
    }
    log.starts.push(start)
    await startOnce(callers, start)
    if (start.acknowledged === null) continue
    const chance = dice.next()
    if (chance < 0.2) await operate(callers, start.acknowledged.id, "cancel")
    else if (chance < 0.6 && shape === "FINANCE_ALREADY_SUBMITTED") {
      await operate(callers, start.acknowledged.id, "decision")
    }
  }
}
