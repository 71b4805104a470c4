/**
 * Starts a process that goes on answering, and asks it one question after the other (`messages.ts`). Who asks ends it when it failed: what
 * it would answer afterwards is unknown. Its own side is `answering.ts`.
 */
import { Data, type Duration, Effect, Option, Queue, Schema, type Scope, Stream } from "effect"
import { messagePieces, messageReader, type Message, type MessageLimits } from "./messages.ts"
import { confined, ownPrograms, type Confinement } from "./confined.ts"
import { processLimits } from "./limits.ts"
import type { ProcessStarter } from "./ProcessStarter.ts"

/** `reason` is for the log. It is a word of ours, or the code or name of an error: what was read may have taken over the process. */
export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{ readonly reason: string }> {}

export interface AnsweringProcess<Ready> {
  /** What the process said when it was ready. */
  readonly ready: Ready
  /** Nobody asks while another question waits for its answer. `judged` makes null of what is no answer. */
  readonly ask: <A>(question: Message, judged: (answer: Message) => A | null) => Effect.Effect<A, ProcessFailed>
}

/** Its program reads the service's own programs and packages, lowers itself once it is ready, and has no end of time: it is asked again. */
export interface AnsweringOptions<Ready> extends Pick<
  Confinement,
  "program" | "parameters" | "heapMegabytes" | "allowed"
> {
  readonly startWithin: Duration.Input
  readonly limits: MessageLimits
  readonly judgedReady: (message: Message) => Ready | null
}

const failed = (reason: string): Effect.Effect<never, ProcessFailed> => Effect.fail(new ProcessFailed({ reason }))
const hasEnded = new ProcessFailed({ reason: "has ended" })
/** A process whose output has closed ends in a moment. One that goes on all the same is of no use either. */
const endedSo = (ended: Effect.Effect<string>) =>
  Effect.flatMap(Effect.timeoutOption(ended, processLimits.endsWithin), (how) =>
    Effect.fail(Option.isSome(how) ? new ProcessFailed({ reason: `has ended: ${how.value}` }) : hasEnded)
  )
const notUnderstood = failed("said what nobody understands")

const failureIn = Schema.decodeUnknownOption(
  Schema.TaggedStruct("Failed", { reason: Schema.String.check(Schema.isPattern(/^\w{1,60}$/)) })
)

/** Closing the scope ends the process. */
export const startAnswering = Effect.fnUntraced(function* <Ready>(
  starter: ProcessStarter["Service"],
  { judgedReady, limits, startWithin, ...confinement }: AnsweringOptions<Ready>
): Effect.fn.Return<AnsweringProcess<Ready>, ProcessFailed, Scope.Scope> {
  const command = confined({ ...confinement, readable: ownPrograms(), niceness: null, coreSeconds: null })
  const { ended, stdin, stdout } = yield* Effect.catchTag(starter.start(command), "NotStarted", () =>
    failed("not started")
  )
  const questions = yield* Queue.unbounded<Uint8Array>()
  // Who waits for an answer hears when the process is ended meanwhile.
  const answers = yield* Effect.acquireRelease(Queue.unbounded<Message, ProcessFailed>(), (queue) =>
    Queue.fail(queue, hasEnded)
  )
  const reader = messageReader(limits)
  const hear = (bytes: Uint8Array) => {
    const messages = reader.take(bytes)
    return messages === null ? notUnderstood : Queue.offerAll(answers, messages)
  }
  yield* Effect.forkScoped(Effect.ignore(Stream.run(Stream.fromQueue(questions), stdin)))
  yield* stdout.pipe(
    Stream.runForEach(hear),
    Effect.catchTag("ProcessGone", () => Effect.void),
    Effect.andThen(endedSo(ended)),
    Effect.catchTag("ProcessFailed", (error) => Queue.fail(answers, error)),
    Effect.forkScoped
  )

  const heard = <A>(judged: (answer: Message) => A | null): Effect.Effect<A, ProcessFailed> =>
    Effect.flatMap(Queue.take(answers), (answer) => {
      const failure = Option.getOrNull(failureIn(answer.line))
      if (failure !== null) return failed(failure.reason)
      const seen = judged(answer)
      return seen === null ? notUnderstood : Effect.succeed(seen)
    })
  const ready = yield* Effect.timeoutOrElse(heard(judgedReady), {
    duration: startWithin,
    orElse: () => failed("was not ready in time")
  })
  return {
    ready,
    ask: (question, judged) => Effect.andThen(Queue.offerAll(questions, messagePieces(question)), heard(judged))
  }
})
