/**
 * The receiving end of `GatheredMessages.ts`: each message is handed over as if it had come alone. Answers that are ready in one turn of the
 * event loop go back together. Whoever ends the call, or the connection, ends what is still being handled.
 */
import { Effect, Queue, type Cause } from "effect"
import { Runners } from "effect/cluster"
import { alone, GatheredMessages, type MessageEnd } from "./GatheredMessages.ts"

/** Answers of one turn, one after another, until all have been given. */
const answersOf = (count: number, answers: Queue.Queue<ReadonlyArray<MessageEnd>, Cause.Done>) => {
  let left = count
  let ready: Array<MessageEnd> = []
  const give = (): void => {
    Queue.offerUnsafe(answers, ready)
    left -= ready.length
    ready = []
    if (left === 0) Queue.endUnsafe(answers)
  }
  return (ended: MessageEnd): void => {
    ready.push(ended)
    if (ready.length === 1) setImmediate(give)
  }
}

export const layer = GatheredMessages.toLayer(
  Effect.gen(function* () {
    const handleAlone = yield* Runners.Rpcs.accessHandler(alone)
    return {
      Messages: Effect.fnUntraced(function* ({ requests }, options) {
        const answers = yield* Queue.unbounded<ReadonlyArray<MessageEnd>, Cause.Done>()
        const answered = answersOf(requests.length, answers)
        // The cluster's own handler answers with the reply itself, although its type allows a promise of one.
        for (const [at, request] of requests.entries()) {
          yield* Effect.scoped(handleAlone({ request, persisted: false }, options)).pipe(
            Effect.onExit((exit) => Effect.sync(() => answered({ at, exit: exit as MessageEnd["exit"] }))),
            Effect.forkScoped
          )
        }
        return answers
      })
    }
  })
)
