/**
 * What the endpoints for callers with an API key have in common: the scope of a key, the journey in the path, and the way
 * in which an operation asks its journey. What an operation says to the journey is in the operation's own file.
 */
import { Effect, Schema } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { incomingMessage } from "../../server/incomingMessage.ts"
import {
  doneByJourney,
  doneByJourneyWith,
  type JourneyRefused,
  type Personal
} from "../../../actors/journey/actor/askJourney.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { uuidFrom } from "../../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import {
  JourneyIdParameter,
  IdempotencyKey,
  idempotencyKeyLength,
  idempotencyKeyPattern,
  naming
} from "../../../schema/decoding/parameters.ts"
import type { Caller } from "../../server/callers/authentication.ts"
import { answerAt } from "../../server/endpoints/described.ts"
import { problem, success, type Problem } from "../../server/answers/problems.ts"
import { asTyped } from "./journeyAnswer.ts"
import type { JourneyId } from "../../../schema/ids.ts"

type Request = HttpServerRequest.HttpServerRequest

export const journeysPath = "/api/v1/journeys"
export const oneJourneyPath = `${journeysPath}/:journeyId` as const

/** Anything that is no id is a journey nobody has (decision R12). */
export const ofJourney = {
  journeyId: JourneyIdParameter.annotate({ description: "The journey's id", ...naming("journey", "JOURNEY_NOT_FOUND") })
}

/** The header of operations that may be repeated. */
export const repeatable = {
  "Idempotency-Key": Schema.optionalKey(
    IdempotencyKey.annotate({ description: "Optional: a request repeated with the same key is carried out once" })
  )
}

/** What a request that may be repeated may be refused with. */
export const ofRepeating = ["IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_REUSED"] as const

export const read = { scope: "journeys:read", testOnly: false } as const
export const write = { scope: "journeys:write", testOnly: false } as const

export const scopeOf = ({ key }: Caller): Scope => ({ companyId: key.company.id, livemode: key.livemode })

export const journeyNotFound = (): Problem => problem("JOURNEY_NOT_FOUND", "journey")

interface AsksOfJourney {
  readonly request: Request
  readonly caller: Caller
  readonly path: (name: "journeyId") => Effect.Effect<JourneyId, Problem, HttpRouter.RouteContext>
}

/** The id of the journey in the path. */
export const journeyAsked = ({ path }: Pick<AsksOfJourney, "path">) =>
  Effect.tap(path("journeyId"), (id) => Effect.annotateCurrentSpan("journey.id", id))

/** The key of §4.1, given once: Node joins a repeated header with a comma, which is none of its characters. */
export const idempotencyKey = (request: Request): Effect.Effect<string, Problem> => {
  const given = keyIn(request)
  return typeof given === "string" && idempotencyKeyPattern.test(given)
    ? Effect.succeed(given)
    : Effect.fail(problem("IDEMPOTENCY_KEY_REQUIRED", "Idempotency-Key", wrongOfKey(given)))
}

/** What is wrong with the header. Its text is not repeated: it may be a customer's address. */
const wrongOfKey = (given: string | ReadonlyArray<string> | undefined): string => {
  if (given === undefined) return "Idempotency-Key is missing: send a text of your own, such as your deal's id"
  const { least, most } = idempotencyKeyLength
  return given.length < least || given.length > most
    ? `Idempotency-Key must have ${least} to ${most} characters, and this one has ${given.length}`
    : "Idempotency-Key must be sent once, with letters, digits and . _ : - only"
}

/** The request's key, or null when the request has none. */
export const optionalIdempotencyKey = (request: Request): Effect.Effect<string | null, Problem> =>
  keyIn(request) === undefined ? Effect.succeed(null) : idempotencyKey(request)

const keyIn = (request: Request) => incomingMessage(request).headers["idempotency-key"]

/**
 * The id of a caller's message to a journey. With an Idempotency-Key the id follows from the key, so that a repeated
 * operation is one message and the journal knows it (decision I8). Without a key every request is a message of its own.
 */
export const messageIdOf = Effect.fnUntraced(function* (request: Request, { key }: Caller, journeyId: JourneyId) {
  const given = yield* optionalIdempotencyKey(request)
  if (given === null) return (yield* Ids).next()
  const vault = yield* Vault
  return uuidFrom(vault.index("request", `message|${key.company.id}|${key.livemode}|${journeyId}|${given}`))
})

/** What an operation asks of which journey; the id makes a repeated message one. */
export interface Operation<Body> {
  readonly id: JourneyId
  readonly messageId: string
  readonly body: Body
}

/** A problem of the key or the body is told only once the journey is known to be visible to the caller (V16). */
export const operationAsked = <Body, R>(asked: AsksOfJourney & { readonly body: Effect.Effect<Body, Problem, R> }) =>
  Effect.flatMap(journeyAsked(asked), (id) =>
    Effect.gen(function* () {
      const messageId = yield* messageIdOf(asked.request, asked.caller, id)
      return { id, messageId, body: yield* asked.body } satisfies Operation<Body>
    }).pipe(
      Effect.catchTag("Problem", (failure) =>
        Effect.gen(function* () {
          const store = yield* JourneyStore
          const visible = yield* store.read(id, scopeOf(asked.caller))
          return yield* Effect.fail<Problem>(visible === null ? journeyNotFound() : failure)
        })
      )
    )
  )

/** The header of an answer to a request that was carried out before (§4.1, I8). */
export const replayed = { "idempotent-replayed": "true" } as const

/** Asks the journey as its caller; `personal` goes along under the customer's key. */
export const askAsCaller = (
  endpoint: Pick<HttpApiEndpoint.Top, "annotations">,
  caller: Caller,
  { id, messageId }: Omit<Operation<never>, "body">,
  message: JourneyMessage,
  personal: Personal | null = null
) => {
  const ask = { journeyId: id, messageId, sender: caller.sender, scope: scopeOf(caller), message }
  return (personal === null ? doneByJourney(ask) : doneByJourneyWith(ask, personal)).pipe(
    Effect.map(({ isReplay, journey }) =>
      isReplay ? success(200, asTyped(journey), answerAt(endpoint, 200)?.message ?? "", replayed) : asTyped(journey)
    ),
    Effect.catchTag("JourneyRefused", refused)
  )
}

const refused = ({ refusal }: JourneyRefused) => {
  switch (refusal._tag) {
    case "NoJourney":
      return Effect.fail(journeyNotFound())
    case "IdReused":
      return Effect.fail(problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
    case "Refused":
      return Effect.fail(problem(refusal.code, "journey", refusal.message))
    case "Ignored":
      // Callers' messages are decided or refused, never ignored.
      return Effect.die(new Error(`a caller's message was ignored: ${refusal.reason}`))
  }
}

/** What a message says that the journal may not hold: equal texts, and no others, have equal fingerprints (I8). */
export const fingerprintOf = (text: string) =>
  Effect.map(Vault, (vault) => Buffer.from(vault.index("request", `message body|${text}`)).toString("base64"))
