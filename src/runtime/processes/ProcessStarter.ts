/**
 * Starts processes through a small process of its own (`starterProcess.js`), which is started while this service is small. The
 * system copies the tables of all memory of the process that starts another one: 60 ms for each 800 MB on the machine where this was
 * measured, half a second when it was busy, and the event loop stands still meanwhile. Input and output are sockets between the
 * started process and this service, so that nothing passes through the small process. What the processes do is not its business.
 */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Data, Deferred, Effect, Layer, type Scope, type Sink, type Stream } from "effect"
import { fork, type ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("starterProcess.js", import.meta.url))

/** What is to be started: a program by its path, its parameters, and all of its environment. */
export interface Command {
  readonly command: readonly [program: string, ...parameters: ReadonlyArray<string>]
  readonly environment: Readonly<Record<string, string>>
}

/** The process could not be started. */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly cause: unknown }> {}

/** The process has ended, or takes and gives no more. */
export class ProcessGone extends Data.TaggedError("ProcessGone")<{ readonly cause: unknown }> {}

export interface StartedProcess {
  /** Ends the input when what is given has ended. */
  readonly stdin: Sink.Sink<void, Uint8Array, never, ProcessGone>
  readonly stdout: Stream.Stream<Uint8Array, ProcessGone>
  /** Waits for the end of the process, and says how it ended: by which signal, such as SIGKILL, or with which exit code. */
  readonly ended: Effect.Effect<string>
}

export class ProcessStarter extends Context.Service<
  ProcessStarter,
  {
    /** Closing the scope ends the process, and waits until it has ended. */
    readonly start: (command: Command) => Effect.Effect<StartedProcess, NotStarted, Scope.Scope>
  }
>()("journeys/runtime/ProcessStarter") {}

/** What the small process says. */
type Answer =
  | { readonly _tag: "Started"; readonly id: number; readonly pid: number }
  | { readonly _tag: "Ended"; readonly id: number; readonly how: string }

/** A process that was asked for and has not ended. */
interface Waiting {
  readonly starter: ChildProcess
  pid: number | null
  readonly started: Deferred.Deferred<void, NotStarted>
  readonly ended: Deferred.Deferred<string>
}

/** Whoever has a starter has its small process. It is started anew if it ended, for the process that is to be started next. */
const openStarter: Effect.Effect<ProcessStarter["Service"], never, Scope.Scope> = Effect.gen(function* () {
  const waiting = new Map<number, Waiting>()
  const ended = (id: number, how: string): void => {
    const waits = waiting.get(id)
    waiting.delete(id)
    if (waits === undefined) return
    Deferred.doneUnsafe(waits.started, Effect.fail(new NotStarted({ cause: how })))
    Deferred.doneUnsafe(waits.ended, Effect.succeed(how))
  }
  const heard = (answer: Answer): void => {
    const waits = waiting.get(answer.id)
    if (waits === undefined) return
    if (answer._tag === "Ended") return ended(answer.id, answer.how)
    waits.pid = answer.pid
    Deferred.doneUnsafe(waits.started, Effect.void)
  }
  /** A small process could not be started, takes no message any more, or has ended. Another one may have followed it already. */
  const gone = (starter: ChildProcess): void => {
    for (const [id, waits] of waiting) {
      if (waits.starter !== starter) continue
      if (waits.pid !== null) endNow(waits.pid)
      ended(id, "the process that starts others is gone")
    }
  }
  const starting = (): ChildProcess => {
    const starter = fork(program, { env: {}, execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] })
    // The other end is `starterProcess.js`, which says nothing else.
    starter.on("message", (answer) => heard(answer as Answer))
    starter.on("error", () => gone(starter))
    starter.once("close", () => gone(starter))
    return starter
  }
  let current = starting()
  yield* Effect.addFinalizer(() => left(current))
  let last = 0
  const start = Effect.fnUntraced(function* ({ command, environment }: Command) {
    const input = yield* socketPair
    const output = yield* socketPair
    if (!current.connected) current = starting()
    const starter = current
    const id = ++last
    const waits: Waiting = { starter, started: Deferred.makeUnsafe(), ended: Deferred.makeUnsafe(), pid: null }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        waiting.set(id, waits)
        starter.send({ _tag: "Input", id }, input.far)
        starter.send({ _tag: "Start", id, command, environment }, output.far)
      }),
      () => {
        if (starter.connected) starter.send({ _tag: "End", id })
        return Effect.asVoid(Deferred.await(waits.ended))
      }
    )
    yield* Deferred.await(waits.started)
    const onError = (cause: unknown) => new ProcessGone({ cause })
    return {
      stdin: NodeSink.fromWritable<ProcessGone, Uint8Array>({ evaluate: () => input.near, onError }),
      stdout: NodeStream.fromReadable<Uint8Array, ProcessGone>({ evaluate: () => output.near, onError }),
      ended: Deferred.await(waits.ended)
    }
  })
  return ProcessStarter.of({ start })
})

/** The small process is started with the service, and everybody has their processes started by it. */
export const layer: Layer.Layer<ProcessStarter> = Layer.effect(ProcessStarter, openStarter)

/** Ends a process that the small one has left behind, unless it has just ended by itself. */
const endNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

/** Lets the small process end, and waits until it has. */
const left = (starter: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (starter.exitCode !== null || starter.signalCode !== null || starter.pid === undefined) {
      return resume(Effect.void)
    }
    starter.once("exit", () => resume(Effect.void))
    if (starter.connected) starter.disconnect()
  })

interface SocketPair {
  readonly near: Socket
  /** The end that is given to the process. */
  readonly far: Socket
}

/** A name without a file where the system has such names, and otherwise a file that goes with the server. */
const freshName = (): string => {
  const name = `journeys-${randomUUID()}`
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name)
}

/** Two ends of one connection inside this machine. A socket with an error that nobody listens to would end the service. */
const socketPair: Effect.Effect<SocketPair, NotStarted, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<SocketPair, NotStarted>((resume) => {
    const name = freshName()
    const server = createServer()
    const failed = (cause: unknown) => {
      server.close()
      resume(Effect.fail(new NotStarted({ cause })))
    }
    server.once("error", failed)
    server.listen(name, () => {
      const far = connect(name).on("error", failed)
      server.once("connection", (near) => {
        server.close()
        near.on("error", () => {})
        if (!far.connecting) return resume(Effect.succeed({ near, far }))
        far.once("connect", () => resume(Effect.succeed({ near, far })))
      })
    })
  }),
  ({ far, near }) =>
    Effect.sync(() => {
      near.destroy()
      far.destroy()
    })
)
