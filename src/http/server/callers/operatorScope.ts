/**
 * The scope that an operation of the settings API asks of an operator's named token. It is read off the operation's path and
 * method, so that every operation has one: what is about journeys and their customers, about companies, about the mailbox or about
 * the installation; GET reads, everything else writes. Who makes a key or a member reaches what the company reaches, its journeys and
 * customers too: these have scopes of their own.
 */
import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { NamedToken } from "../../../actors/installation/OperatorTokens.ts"
import type { OperatorScope } from "../../../schema/installation/OperatorToken.ts"
import { problem, type Problem } from "../answers/problems.ts"

/** Words that follow a company in a path, where journeys and what customers gave are to be had. */
const aboutJourneys: ReadonlySet<string> = new Set(["journeys", "reviews", "handovers", "customers", "test-journeys"])

/** Words that follow a company in a path, where what is written lets somebody in. */
const doors: ReadonlyMap<string, OperatorScope> = new Map([
  ["api-keys", "keys:write"],
  ["members", "members:write"],
  ["sessions", "members:write"]
])

/**
 * Operations that only read although they are no GET: what is searched for is sent in a body, so that it stands in no address, and whoever
 * may read a review may say that they do.
 */
const readings: ReadonlySet<string> = new Set([
  "/settings/v1/companies/:companyId/handovers/search",
  "/settings/v1/companies/:companyId/journeys/search",
  "/settings/v1/companies/:companyId/reviews/:reviewId/look"
])

export const operatorScopeOf = ({ method, path }: Pick<HttpApiEndpoint.Top, "method" | "path">): OperatorScope => {
  const [, , , resource = "", , part = ""] = path.split("/")
  const right = method === "GET" || readings.has(path) ? "read" : "write"
  switch (resource) {
    case "operator-tokens":
      return "*"
    case "mail":
      return right === "read" ? "mail:read" : "companies:write"
    case "companies":
      if (aboutJourneys.has(part)) return `journeys:${right}`
      return right === "read" ? "companies:read" : (doors.get(part) ?? "companies:write")
    default:
      return `installation:${right}`
  }
}

export const withinScopes = ({ scopes }: NamedToken, needed: OperatorScope): Effect.Effect<void, Problem> =>
  scopes.includes("*") || scopes.includes(needed)
    ? Effect.void
    : Effect.fail(problem("ROLE_NOT_PERMITTED", "scope", `This operator token may not do this: it asks for ${needed}`))
