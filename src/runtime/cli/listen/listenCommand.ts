/**
 * `journeys listen`: test events to a server on this machine, as webhooks would bring them, without an endpoint that can
 * be reached from outside. It follows the events API, so it needs a test key and no operator token, and it may be
 * stopped and started: nothing is left out, and the order is kept.
 */
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { modeOfApiKey } from "../../../actors/company/apiKey.ts"
import { Sender } from "../../../actors/webhook/actor/Sender.ts"
import { secretPrefix } from "../../../actors/webhook/rules/signature.ts"
import { judgeWebhookUrl } from "../../../schema/webhook/webhookUrl.ts"
import { latestEvents } from "../../../schema/decoding/parameters.ts"
import { demoFileOf, readDemo } from "../../node/demoFile.ts"
import * as DnsResolver from "../../webhooks/DnsResolver.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { dataDir, serviceUrl } from "../frame/connection.ts"
import { follow, type FollowedEvent } from "./followEvents.ts"
import { listenLimits } from "./limits.ts"
import { forward } from "./forwardEvent.ts"
import { beginningLine, forwardedLine } from "./listenLines.ts"
import { newSecret, ownerOf, readState, usualFile, writeState, type State } from "./listenState.ts"
import { required, textFlag } from "../frame/parameters.ts"
import { Json } from "../frame/printing.ts"

/** Whether it was stopped by a signal, which is its proper end: `../main.ts` then answers with exit code 0. */
export const stopped = { bySignal: false }

const failed = (message: string) => new CommandFailed({ message })

const urlOf = (given: string): Effect.Effect<string, CommandFailed> => {
  const judged = judgeWebhookUrl(given, { allowInsecure: true })
  if ("url" in judged) return Effect.succeed(judged.url)
  return Effect.fail(failed(`--forward-to must be an http or https URL without user, password and fragment`))
}

const keyOf = Effect.fnUntraced(function* (given: Option.Option<Redacted.Redacted>, folder: string) {
  if (Option.isNone(given)) {
    const file = demoFileOf(folder)
    const demo = yield* Effect.mapError(readDemo(file), ({ message }) => failed(message))
    const dealer = demo?.companies.find(({ kind }) => kind === "DEALER")
    return dealer?.testKey ?? (yield* failed(`give a test key with --key: there are no demo keys in ${file}`))
  }
  const key = Redacted.value(given.value)
  const mode = modeOfApiKey(key)
  if (mode === "LIVE") return yield* failed("--key is a live key: listen is for test events; give a test key")
  return mode === null ? yield* failed("--key is not an API key: a test key is svc_test_ and 38 characters") : key
})

const secretOf = (given: Option.Option<Redacted.Redacted>) => {
  const secret = Option.getOrUndefined(Option.map(given, Redacted.value))
  if (secret === undefined || (secret.startsWith(secretPrefix) && /^[!-~]+$/.test(secret)))
    return Effect.succeed(secret)
  return Effect.fail(failed(`--secret must begin with ${secretPrefix} and contain no white space`))
}

/** What of a page has not been forwarded yet. */
const rest = (events: ReadonlyArray<FollowedEvent>, forwarded: string | null): ReadonlyArray<FollowedEvent> =>
  events.slice(events.findIndex(({ id }) => id === forwarded) + 1)

const flags = {
  forwardTo: Flag.String("forward-to").pipe(required("Where events are sent, such as http://localhost:8080/webhooks")),
  key: Flag.Redacted("key").pipe(
    Flag.withDescription("A test key; without it the demo dealer's from DATA_DIR"),
    Flag.optional
  ),
  fromStart: Flag.Boolean("from-start").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Begin with the first event there is, not where it stopped or with the next one")
  ),
  secret: Flag.Redacted("secret").pipe(
    Flag.withDescription("Sign with this one, whsec_...; without it one is made the first time, and kept"),
    Flag.optional
  ),
  state: textFlag("state", "Where secret and place are kept; without it a file in DATA_DIR")
}

const listening = Effect.fn("listen")(function* (given: {
  readonly forwardTo: string
  readonly key: Option.Option<Redacted.Redacted>
  readonly fromStart: boolean
  readonly secret: Option.Option<Redacted.Redacted>
  readonly state: Option.Option<string>
}) {
  const isJson = yield* Json
  const print = (message: string) => Console.error(isJson ? JSON.stringify({ message }) : `journeys: ${message}`)
  const forwardTo = yield* urlOf(given.forwardTo)
  const folder = yield* dataDir
  const key = yield* keyOf(given.key, folder)
  const baseUrl = yield* serviceUrl
  const owner = ownerOf(key, forwardTo)
  const stateFile = Option.getOrElse(given.state, () => usualFile(folder, owner))
  const kept = yield* readState(stateFile, owner)
  const secret = (yield* secretOf(given.secret)) ?? kept?.secret ?? (yield* newSecret)

  const pageBehind = yield* follow({ baseUrl, key, print })
  const from = given.fromStart ? "START" : kept === null ? "NOW" : "HERE"
  const place = {
    START: Effect.succeed({ after: null, forwarded: null }),
    NOW: Effect.map(pageBehind(latestEvents), ({ next }) => ({ after: next, forwarded: null })),
    HERE: Effect.succeed({ after: kept?.after ?? null, forwarded: kept?.forwarded ?? null })
  }[from]
  let state: State = { of: owner, secret, ...(yield* place) }
  const keep = (next: Pick<State, "after" | "forwarded">) => writeState(stateFile, (state = { ...state, ...next }))
  yield* keep(state)
  yield* Console.log(beginningLine({ baseUrl, forwardTo, secret, stateFile, from }, isJson))

  const channel = yield* Effect.flatMap(Sender, (sender) => sender.open(forwardTo, 1))
  const bring = forward({ channel, forwardTo, secret, print })
  return yield* Effect.forever(
    Effect.gen(function* () {
      const { after } = state
      const { events, isFull, next } = yield* pageBehind(after)
      for (const event of rest(events, state.forwarded)) {
        // Once it was answered its place is kept, whatever signal comes.
        yield* Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(bring(event)), (forwarded) =>
            Effect.andThen(keep({ after, forwarded: event.id }), Console.log(forwardedLine(forwarded, isJson)))
          )
        )
      }
      if (next !== after) yield* keep({ after: next, forwarded: null })
      if (!isFull) yield* Effect.sleep(listenLimits.betweenLooks)
    })
  )
})

/** No other command sends webhooks, so no other command loads what sends them. */
const sender = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("../../webhooks/UndiciSender.ts")),
    ({ layerOf }) => layerOf({ allowInsecure: true })
  )
)

const services = Layer.merge(sender.pipe(Layer.provide(DnsResolver.layer)), FetchHttpClient.layer)

export const listenCommand = Command.make("listen", flags, (given) =>
  listening(given).pipe(
    Effect.onInterrupt(() => Effect.sync(() => (stopped.bySignal = true))),
    Effect.scoped,
    Effect.provide(services)
  )
).pipe(Command.withDescription("Forward test events to a server on this machine, signed like webhooks"))
