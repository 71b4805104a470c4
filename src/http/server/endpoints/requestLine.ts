/**
 * What the request log keeps of a request: the route, the status, the code and the names of the fields at fault. Never a body, a value, a
 * query or a header. A name that a caller made up is shown as `?`, because it could hold anything.
 */
import { Clock, Context, Effect, Exit } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestLog } from "../../../actors/company/RequestLog.ts"
import type { KnownKey } from "../../../actors/company/Keyring.ts"
import { CurrentRequestId } from "../../../actors/kernel/RequestId.ts"
import type { ErrorCode, FieldError } from "../../../schema/problems.ts"
import { problemOf, type HandlerFailure } from "../answers/answering.ts"
import { httpLimits } from "../limits.ts"
import { statusOf } from "../answers/problems.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What is known of a request while it is answered. */
export interface RequestNotes {
  key: Pick<KnownKey, "keyId" | "livemode" | "company"> | null
  errors: ReadonlyArray<FieldError>
}

/** The paths of fields in the contract: names in camel case and places in lists, or the name of a header. */
const contractName = /^[A-Za-z][A-Za-z-]{0,39}(?:\[\d{1,3}\])?(?:\.[A-Za-z]{1,40}(?:\[\d{1,3}\])?){0,5}$/

const namesOf = (errors: ReadonlyArray<FieldError>): ReadonlyArray<string> => [
  ...new Set(
    errors.slice(0, httpLimits.fieldsInRequestLog).map(({ field }) => (contractName.test(field) ? field : "?"))
  )
]

const inPath = /\/journeys\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?=[/?]|$)/i
/** The beginning of an answer whose data is a journey: `problems.ts` writes it. */
const inAnswer = /^\{"success":true,"data":\{"id":"([0-9a-f-]{36})","type":/

const journeyIn = (url: string, response: Response | null): string | null => {
  const named = inPath.exec(url)?.[1]
  if (named !== undefined) return named.toLowerCase()
  const body = response?.body
  return body?._tag === "Uint8Array" && body.text !== undefined
    ? (inAnswer.exec(body.text.slice(0, 100))?.[1] ?? null)
    : null
}

/** Null: the request was done. A request without an answer was not: its connection was dropped. */
const codeOf = ({ errors }: RequestNotes, exit: Exit.Exit<Response, HandlerFailure>): ErrorCode | null => {
  if (Exit.isSuccess(exit)) return errors[0]?.code ?? null
  return problemOf(exit.cause)?.errors[0].code ?? "INTERNAL_ERROR"
}

/** Null: the connection was dropped without an answer. */
const statusOfAnswer = (exit: Exit.Exit<Response, HandlerFailure>): number | null => {
  if (Exit.isSuccess(exit)) return exit.value.status
  const failure = problemOf(exit.cause)
  return failure === null ? null : statusOf(failure.errors[0].code)
}

/** Who looks at the log again and again would see nothing else in it. */
const readingTheLog = "GET /api/v1/requests"

/** Notes the line of a request whose key is known, once it is answered. */
export const noted = <R>(
  route: string,
  request: HttpServerRequest.HttpServerRequest,
  answer: (notes: RequestNotes) => Effect.Effect<Response, HandlerFailure, R>
): Effect.Effect<Response, HandlerFailure, R | RequestLog> =>
  Effect.withFiber((fiber) => {
    const log = Context.get(fiber.context as Context.Context<RequestLog>, RequestLog)
    const clock = fiber.getRef(Clock.Clock)
    const requestId = fiber.getRef(CurrentRequestId)
    const at = clock.currentTimeMillisUnsafe()
    const notes: RequestNotes = { key: null, errors: [] }
    return Effect.onExit(answer(notes), (exit) => {
      const { key } = notes
      if (key === null || requestId === null || route === readingTheLog) return Effect.void
      const response = Exit.isSuccess(exit) ? exit.value : null
      log.note({
        requestId,
        at,
        companyId: key.company.id,
        livemode: key.livemode,
        keyId: key.keyId,
        route,
        status: statusOfAnswer(exit),
        code: codeOf(notes, exit),
        fields: namesOf(notes.errors),
        durationMillis: clock.currentTimeMillisUnsafe() - at,
        journeyId: journeyIn(request.url, response),
        isReplay: response?.headers["idempotent-replayed"] === "true"
      })
      return Effect.void
    })
  })
