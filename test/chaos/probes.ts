/**
 * Journeys that wait, spread over all shards. Probes ask each of them a question that only its actor can answer. The
 * time from a node's end until all journeys answer again is the time of the take-over.
 */
import { startExamples } from "../../src/schema/start/examples.ts"
import { ask, type Callers } from "./load.ts"

/** Enough journeys that every node has some. */
const probeCount = 24
/** Milliseconds between two questions to one journey. A question does not wait for the answer to the one before. */
const askAgain = 400
/** Milliseconds until a take-over counts as failed. */
const giveUpAfter = 60_000

export const startProbes = async (callers: Callers): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let at = 0; at < probeCount; at++) {
    const example = startExamples.IDENTITY_DELIVERY
    const body = { ...example, customer: { ...example.customer, email: `probe-${at}@example.com` } }
    for (let started = false; !started;) {
      const heard = await ask(callers, "", body, `${callers.run}-probe-${at}`)
      if (typeof heard === "string" || heard.status >= 300) continue
      ids.push((heard.data as { readonly id: string }).id)
      started = true
    }
  }
  return ids
}

/** Milliseconds until every probe has answered; null when one has not answered for a minute. */
export const untilAllAnswer = async (callers: Callers, ids: ReadonlyArray<string>): Promise<number | null> => {
  const began = performance.now()
  const answers = async (id: string): Promise<boolean> => {
    const answered = { isSo: false }
    for (let asked = 0; !answered.isSo && performance.now() - began < giveUpAfter; asked += 1) {
      // An event that is never possible for this type: the actor refuses it, and nothing changes.
      const question = ask(callers, `/${id}/simulate`, { event: "finance_enquiry.approved" }, `${id}-${began}-${asked}`)
      void question.then((heard) => {
        if (typeof heard !== "string" && heard.status === 409) answered.isSo = true
      })
      await Promise.race([question, new Promise((resolve) => setTimeout(resolve, askAgain))])
    }
    return answered.isSo
  }
  const all = await Promise.all(ids.map(answers))
  return all.every(Boolean) ? performance.now() - began : null
}
