/**
 * GET of one journey, of the list, and of the sandbox's scenarios. Reads ask the store, not the actor: what is committed
 * is what is true.
 */
import { Effect, Schema } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { JourneyStore, type ListQuery } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import type { JourneyPage } from "../../../schema/journey/resource.ts"
import { longestExternalReference, uuid } from "../../../schema/parameters.ts"
import { scenarios } from "../../../schema/journey/sandbox.ts"
import { JourneyStatus } from "../../../schema/journey/statuses.ts"
import type { Caller } from "../../server/authentication.ts"
import { pageData, readQuery } from "../../server/pageQuery.ts"
import { problem, success, type Problem } from "../../server/problems.ts"
import { callerEndpoint } from "../../server/callerEndpoint.ts"

const read = { scope: "journeys:read", testOnly: false } as const
const noBody = () => Effect.void

export const scopeOf = (caller: Caller): Scope => ({ companyId: caller.key.company.id, livemode: caller.key.livemode })

/** The journey's id from the path, lower case; anything that is no id is a journey nobody has (decision R12). */
export const journeyId: Effect.Effect<string, Problem, HttpRouter.RouteContext> = Effect.flatMap(
  HttpRouter.params,
  (params) => {
    const id = (params["journeyId"] ?? "").toLowerCase()
    return uuid.test(id) ? Effect.as(Effect.annotateCurrentSpan("journey.id", id), id) : Effect.fail(notFound())
  }
)

export const notFound = (): Problem => problem("JOURNEY_NOT_FOUND", "journey")

export const getEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fnUntraced(function* (_request, caller) {
    const id = yield* journeyId
    const store = yield* JourneyStore
    const found = yield* store.read(id, scopeOf(caller))
    if (found === null) return yield* notFound()
    return success(200, journeyResource(found.journey), "Journey")
  })
)

const isStatus = Schema.is(JourneyStatus)

/** What the list can be filtered by (decision R8). */
const listQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ListQuery, Problem> =>
  readQuery(request, ["status", "externalReference"], (given, wrong) => {
    const status = given.get("status")
    const reference = given.get("externalReference")?.normalize("NFC") ?? null
    return {
      status:
        status === null || isStatus(status)
          ? status
          : wrong("status", `must be one of ${JourneyStatus.literals.join(", ")}`),
      externalReference:
        reference === null || (isPlain(reference) && Array.from(reference).length <= longestExternalReference)
          ? reference
          : wrong(
              "externalReference",
              `must have at most ${longestExternalReference} characters and no control characters`
            )
    }
  })

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

export const listEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fnUntraced(function* (request, caller) {
    const query = yield* listQuery(request)
    const store = yield* JourneyStore
    const page: JourneyPage = pageData(query, yield* store.list(scopeOf(caller), query), journeyResource)
    return success(200, page, "Journeys")
  })
)

export const scenariosEndpoint = callerEndpoint(
  read,
  noBody,
  Effect.fnUntraced(function* () {
    const content = Object.entries(scenarios).map(([scenario, effect]) => ({
      scenario,
      email: `customer+${scenario}@example.com`,
      effect
    }))
    return yield* Effect.succeed(success(200, { content }, "Scenarios"))
  })
)
