/**
 * What `listen` keeps between two runs, for one key and one address: the secret it signs with, and the place it has come
 * to. The file is written after an event was forwarded and answered, so a run that is killed leaves nothing out; the one
 * event that was on its way comes again.
 */
import { Effect, Schema } from "effect"
import { hash, randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { secretText } from "../../../actors/webhook/rules/signature.ts"
import { replaceFile } from "../../node/replaceFile.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"

export const State = Schema.Struct({
  /** Tells whose place this is without telling the key. */
  of: Schema.String,
  secret: Schema.String,
  /** The cursor of the page that is being forwarded; null: from the first event on. */
  after: Schema.NullOr(Schema.String),
  /** The last event of that page that was forwarded. Pages never change, so what is before it was too. */
  forwarded: Schema.NullOr(Schema.String)
})
export type State = typeof State.Type

const StateText = Schema.fromJsonString(State)

/** Characters of the hash in a file's name. */
const nameLength = 16

/** Whose place it is: hashed, because a key must not be in a file's name. */
export const ownerOf = (key: string, forwardTo: string): string => hash("sha256", `${key}\n${forwardTo}`)

export const usualFile = (dataDir: string, owner: string): string =>
  Path.join(dataDir, "listen", `${owner.slice(0, nameLength)}.json`)

/** What the file holds, null when there is none yet. */
export const readState = Effect.fn("listenState.readState")(function* (
  file: string,
  owner: string
): Effect.fn.Return<State | null, CommandFailed> {
  const text = yield* Effect.tryPromise({
    try: () =>
      Fs.readFile(file, "utf8").catch((cause: unknown) => {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null
        throw cause
      }),
    catch: (cause) => new CommandFailed({ message: `${file} cannot be read: ${String(cause)}` })
  })
  if (text === null) return null
  const state = yield* Effect.mapError(
    Schema.decodeEffect(StateText)(text),
    () => new CommandFailed({ message: `${file} is not a file that listen wrote; name another one with --state` })
  )
  if (state.of !== owner) {
    return yield* new CommandFailed({
      message: `${file} belongs to another key or address; name another one with --state`
    })
  }
  return state
})

export const writeState = (file: string, state: State): Effect.Effect<void, CommandFailed> =>
  Effect.tryPromise({
    try: () => replaceFile(file, `${JSON.stringify(state, null, 2)}\n`),
    catch: (cause) => new CommandFailed({ message: `${file} cannot be written: ${String(cause)}` })
  })

export const newSecret: Effect.Effect<string> = Effect.sync(() => secretText(randomBytes(webhookLimits.secretBytes)))
