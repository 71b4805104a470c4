/**
 * GET of one journey, of the list, and of the sandbox's scenarios. Reads ask the store, not the actor: what is committed
 * is what is true.
 */
import { Effect, Schema } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { JourneyStore, type ListQuery, type Scope } from "../../actors/journey/JourneyStore.ts"
import { journeyResource } from "../../actors/journey/projection.ts"
import type { FieldError } from "../../schema/errorCatalogue.ts"
import type { JourneyPage } from "../../schema/journeyResource.ts"
import { scenarios } from "../../schema/sandbox.ts"
import { JourneyStatus } from "../../schema/statuses.ts"
import type { Caller } from "../authentication.ts"
import { problem, problems, success, type Problem } from "../problems.ts"
import { callerEndpoint } from "./callerEndpoint.ts"

const read = { scope: "journeys:read", testOnly: false } as const
const noBody = () => Effect.void

export const scopeOf = (caller: Caller): Scope => ({ companyId: caller.key.company.id, livemode: caller.key.livemode })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The journey's id from the path, lower case; anything that is no id is a journey nobody has (decision R12). */
export const journeyId: Effect.Effect<string, Problem, HttpRouter.RouteContext> = Effect.flatMap(HttpRouter.params, (params) => {
  const id = (params["journeyId"] ?? "").toLowerCase()
  return uuid.test(id) ? Effect.succeed(id) : Effect.fail(notFound())
})

export const notFound = (): Problem => problem("JOURNEY_NOT_FOUND", "journey")

export const getEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fn("GET /api/v1/journeys/{journeyId}")(function* (_request, caller) {
    const id = yield* journeyId
    const store = yield* JourneyStore
    const found = yield* store.read(id, scopeOf(caller))
    if (found === null) return yield* notFound()
    return success(200, journeyResource(found.journey), "Journey")
  })
)

const largestPage = 100
/** Beyond any list that exists, and small enough to multiply. */
const lastPage = 1_000_000_000

const isStatus = Schema.is(JourneyStatus)

/** The query of the list (decision R8): every parameter known, each at most once, each within its rule. */
const listQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ListQuery, Problem> => {
  const question = request.url.indexOf("?")
  const given = new URLSearchParams(question === -1 ? "" : request.url.slice(question + 1))
  const found: Array<FieldError> = []
  const wrong = (field: string, message: string) => {
    found.push({ field, code: "VALIDATION_FAILED", message })
    return null
  }
  for (const name of new Set(given.keys())) {
    const shown = name.slice(0, 60)
    if (!["status", "externalReference", "page", "size"].includes(name)) {
      wrong(shown, "is not a parameter of this list: status, externalReference, page, size")
    } else if (given.getAll(name).length > 1) wrong(shown, "may be given once")
  }
  const whole = (name: "page" | "size", least: number, most: number, otherwise: number) => {
    const text = given.get(name)
    if (text === null) return otherwise
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
    return value >= least && value <= most ? value : wrong(name, `must be a whole number from ${least} to ${most}`)
  }
  const status = given.get("status")
  const reference = given.get("externalReference")?.normalize("NFC") ?? null
  const query = {
    status: status === null || isStatus(status) ? status : wrong("status", `must be one of ${JourneyStatus.literals.join(", ")}`),
    externalReference:
      reference === null || (isPlain(reference) && [...reference].length <= 100)
        ? reference
        : wrong("externalReference", "must have at most 100 characters and no control characters"),
    page: whole("page", 0, lastPage, 0) ?? 0,
    size: whole("size", 1, largestPage, 20) ?? 20
  }
  return found.length > 0 ? Effect.fail(problems(found)) : Effect.succeed(query)
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

export const listEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fn("GET /api/v1/journeys")(function* (request, caller) {
    const query = yield* listQuery(request)
    const store = yield* JourneyStore
    const { content, totalElements } = yield* store.list(scopeOf(caller), query)
    const page: JourneyPage = {
      content: content.map(journeyResource),
      page: query.page,
      size: query.size,
      totalElements,
      totalPages: Math.ceil(totalElements / query.size)
    }
    return success(200, page, "Journeys")
  })
)

export const scenariosEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fn("GET /api/v1/sandbox/scenarios")(function* () {
    const content = Object.entries(scenarios).map(([scenario, effect]) => ({
      scenario,
      email: `customer+${scenario}@example.com`,
      effect
    }))
    return yield* Effect.succeed(success(200, { content }, "Scenarios"))
  })
)
