/**
 * `journeys listen`: test events to a server on this machine. What it does is `../../client/listen/listen.ts`, which the package for
 * integrators has as a program of its own; here are the flags, and what this folder's service knows: its address, the demo
 * dealer's key, and a place for the state.
 */
import { Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import * as Path from "node:path"
import { listen, listenHelp, type Listening } from "../../client/listen/listen.ts"
import { ListenFailed } from "../../client/listen/ListenFailed.ts"
import { demoFileOf, readDemo } from "../../firstStart/demoFile.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { dataDir, serviceUrl } from "../frame/connection.ts"
import { required, textFlag } from "../frame/parameters.ts"
import { Json } from "../frame/printing.ts"

/** Whether it was stopped by a signal, which is its proper end: `main.ts` then answers with exit code 0. */
export const stopped = { bySignal: false }

const failed = (message: string) => new CommandFailed({ message })

const keyOf = Effect.fnUntraced(function* (given: Option.Option<Redacted.Redacted>, folder: string) {
  if (Option.isSome(given)) return Redacted.value(given.value)
  const file = demoFileOf(folder)
  const demo = yield* Effect.mapError(readDemo(file), ({ message }) =>
    failed(`${message}, or give a test key with --key`)
  )
  const dealer = demo?.companies.find(({ kind }) => kind === "DEALER")
  return dealer?.testKey ?? (yield* failed(`give a test key with --key: there are no demo keys in ${file}`))
})

const { about, flags: says } = listenHelp

const flags = {
  forwardTo: Flag.String("forward-to").pipe(required(says["forward-to"])),
  key: Flag.Redacted("key").pipe(
    Flag.withDescription(`${says.key}; without it the demo dealer's from DATA_DIR`),
    Flag.optional
  ),
  fromStart: Flag.Boolean("from-start").pipe(Flag.withDefault(false), Flag.withDescription(says["from-start"])),
  secret: Flag.Redacted("secret").pipe(Flag.withDescription(says.secret), Flag.optional),
  state: textFlag("state", `${says.state}; without it a file in DATA_DIR`)
}

/** Runs until it is interrupted, and ends after what it must still write. */
const untilInterrupted = (listening: Omit<Listening, "signal">) =>
  Effect.callback<never, CommandFailed>((resume, signal) => {
    const ended = listen({ ...listening, signal }).catch((error: unknown) =>
      resume(error instanceof ListenFailed ? Effect.fail(failed(error.message)) : Effect.die(error))
    )
    return Effect.promise(() => ended)
  })

export const listenCommand = Command.make("listen", flags, (given) =>
  Effect.gen(function* () {
    const console = yield* Console.Console
    const folder = yield* dataDir
    return yield* untilInterrupted({
      baseUrl: yield* serviceUrl,
      key: yield* keyOf(given.key, folder),
      forwardTo: given.forwardTo,
      fromStart: given.fromStart,
      secret: Option.getOrUndefined(Option.map(given.secret, Redacted.value)),
      stateFile: Option.getOrUndefined(given.state),
      stateFolder: Path.join(folder, "listen"),
      isJson: yield* Json,
      print: (line) => console.log(line),
      printError: (line) => console.error(line)
    })
  }).pipe(Effect.onInterrupt(() => Effect.sync(() => (stopped.bySignal = true))))
).pipe(Command.withDescription(about))
