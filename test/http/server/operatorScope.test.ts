/** The scope of every operation of the settings API, as a table that somebody has read. */
import { expect, it } from "vitest"
import type { HttpApiEndpoint } from "effect/http-api"
import { settings } from "../../../src/http/api/settings.ts"
import { operatorScopeOf } from "../../../src/http/server/operatorScope.ts"
import { OperatorScope } from "../../../src/schema/installation/OperatorToken.ts"

const endpoints = Object.values(settings.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>

it("every operation of the settings API asks for one scope, by what it is about and whether it only reads", () => {
  const byScope = Map.groupBy(endpoints, operatorScopeOf)
  const names = (scope: OperatorScope) => (byScope.get(scope) ?? []).map(({ identifier }) => identifier).toSorted()
  expect([...byScope.keys()].toSorted()).toEqual(
    OperatorScope.literals.filter((scope) => scope !== "metrics:read").toSorted()
  )
  expect(names("*")).toEqual(["createOperatorToken", "listOperatorTokens", "revokeOperatorToken"])
  expect(names("mail:read")).toEqual(["listMail"])
  expect(names("installation:write")).toEqual(["retryJourney"])
  expect(names("journeys:read")).toEqual(
    expect.arrayContaining(["getCase", "getTimeline", "listReviews", "searchJourneys"])
  )
  expect(names("journeys:write")).toEqual(expect.arrayContaining(["decideReview", "eraseCustomer", "resendLink"]))
  // Whatever shows or changes what customers gave is about journeys.
  for (const { path } of [...(byScope.get("companies:read") ?? []), ...(byScope.get("companies:write") ?? [])]) {
    expect(path).not.toMatch(/journey|review|customer|handover/i)
  }
})
