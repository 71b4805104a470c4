/** The scope of every operation of the settings API, as a table that somebody has read. */
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import type { HttpApiEndpoint } from "effect/http-api"
import { settings } from "../../../src/http/api/settings.ts"
import { operatorScopeOf } from "../../../src/http/server/callers/operatorScope.ts"
import { OperatorScope, operatorScopes } from "../../../src/schema/installation/OperatorToken.ts"

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
  // Whoever makes a key or a member reaches journeys with it.
  expect(names("keys:write")).toEqual(["changeApiKey", "createApiKey", "revokeApiKey", "rotateApiKey"])
  expect(names("members:write")).toEqual(
    expect.arrayContaining(["addPasskey", "changeMember", "endSession", "endSessions", "inviteMember", "removeMember"])
  )
  for (const { path } of byScope.get("companies:write") ?? []) expect(path).not.toMatch(/key|member|session/i)
  // Whatever shows or changes what customers gave is about journeys.
  for (const { path } of [...(byScope.get("companies:read") ?? []), ...(byScope.get("companies:write") ?? [])]) {
    expect(path).not.toMatch(/journey|review|customer|handover/i)
  }
})

it("the page for operators says of every scope what the program says of it", async () => {
  const page = await readFile(new URL("../../../docs/operators.md", import.meta.url), "utf8")
  const rows = [...page.matchAll(/^\| `([a-z]+:[a-z]+|\*)` \| (.+) \|$/gm)].map(([, scope, words]) => [scope, words])
  expect(rows).toEqual(Object.entries(operatorScopes))
})
