/**
 * Every route of the settings API and of the console, asked by everybody who might ask. The routes come from the lists that the
 * service serves, so that a new route is asked from its first day. Whoever may ask gets an answer of the route's own; whoever may
 * not gets exactly the refusal, and of another company nobody sees anything.
 */
import { randomUUID } from "node:crypto"
import type { HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { settings } from "../../../src/http/api/settings.ts"
import { pagesOfConsole } from "../../../src/http/console/consoleRoutes.ts"
import { leastRoleOf } from "../../../src/http/server/endpoints/Asker.ts"
import {
  askAs,
  filled,
  namesIn,
  sayingOf,
  startRouteGround,
  type Answered,
  type Asking,
  type RouteGround
} from "./everyRouteGround.ts"

let ground: RouteGround
beforeAll(async () => {
  ground = await startRouteGround()
})
afterAll(() => ground.service.stop())

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly least: string
  readonly isOfCompany: boolean
}

const operations = (
  Object.values(settings.endpoints) as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>
).map((endpoint): Operation => ({
  name: endpoint.identifier,
  method: endpoint.method,
  path: endpoint.path,
  least: leastRoleOf(endpoint) ?? "OPERATOR",
  isOfCompany: endpoint.path.includes(":companyId")
}))

const pages = (pagesOfConsole as ReadonlyArray<{ readonly method: string; readonly path: string }>).map(
  ({ method, path }) => ({ method, path })
)
/**
 * Pages for whoever is not, or not wholly, signed in. A choice of companies comes before the passkey of the company. The script of a page
 * hears whether its reader is signed in (`sessionEnd.int.test.ts`).
 */
const isSignIn = ({ path }: { readonly path: string }) =>
  /^\/console\/(?:operator\/)?sign-in/.test(path) || ["/console/companies", "/console/session"].includes(path)
const isOperators = ({ path }: { readonly path: string }) => path.startsWith("/console/operator")

const errorsOf = ({ text }: Answered) =>
  (JSON.parse(text) as { readonly errors: ReadonlyArray<{ readonly code: string; readonly field: string }> | null })
    .errors ?? []
const firstOf = (answered: Answered) => {
  const [error] = errorsOf(answered)
  return [answered.status, error?.field, error?.code]
}

/** Nothing of the company is wrong with the answer, and nobody is refused: what it says is the operation's own. */
const isOfItsOwn = (answered: Answered) => {
  expect(answered.status).toBeLessThan(500)
  expect([401, 403]).not.toContain(answered.status)
  if (answered.status === 404) expect(errorsOf(answered)[0]?.field).not.toBe("company")
}

/** What is the operator's among the operations of a company; everything about the installation is the operator's, too. */
const operators: ReadonlySet<string> = new Set(["addCredits", "changeMailStanding"])
/** What the team may change. What it may not change is an owner's; what it may read is everything. */
const teams: ReadonlySet<string> = new Set([
  "decideReview",
  "lookAtReview",
  "resendCheck",
  "resendLink",
  "correctCustomer",
  "cancelCompanyJourney",
  "cancelHandover",
  "forceOutcome",
  "saveVehicle",
  "searchHandovers",
  "searchJourneys",
  "startTestJourney",
  "endCustomerSession",
  "createCompanyClock",
  "advanceCompanyClock",
  "endCompanyClock",
  // Of their own only; the handlers see to that.
  "endSession",
  "endSessions",
  "setNotices",
  "preparePasskey",
  "addPasskey",
  "removePasskey"
])

const leastByRule = ({ isOfCompany, method, name }: Operation): string => {
  if (!isOfCompany || operators.has(name)) return "OPERATOR"
  // All that is kept of a customer leaves by an owner's hand, though it is read.
  if (name === "exportCase") return "OWNER"
  return method === "GET" || teams.has(name) ? "TEAM" : "OWNER"
}

it.each(operations)("asks for the role that the rules say: $name", (operation) => {
  expect(operation.least).toBe(leastByRule(operation))
})

const mayAsk: Readonly<Record<"owner" | "team", ReadonlyArray<string>>> = { owner: ["OWNER", "TEAM"], team: ["TEAM"] }

describe.each(operations)("$name ($method $path, least: $least)", (operation) => {
  const { isOfCompany, least, method, path } = operation
  const asked = (who: Asking, ids: Readonly<Record<string, string>> = { companyId: ground.broker.id }) =>
    askAs(ground, who, { method, path: filled(path, ids) })

  it("answers the operator, by token and by session", async () => {
    isOfItsOwn(await asked("token"))
    isOfItsOwn(await asked("operator"))
  })

  it("answers nobody who is not signed in, or still owes the passkey", async () => {
    for (const who of ["nobody", "waiting"] as const) {
      expect([who, ...firstOf(await asked(who)).toSpliced(1, 1)]).toEqual([who, 401, "INVALID_API_KEY"])
    }
  })

  it.each(["owner", "team"] as const)("answers a member of the company as the role allows: %s", async (who) => {
    const answered = await asked(who)
    if (isOfCompany && mayAsk[who].includes(least)) isOfItsOwn(answered)
    else expect(firstOf(answered)).toEqual([403, "role", "ROLE_NOT_PERMITTED"])
  })

  it("answers an owner of another company, and of the named dealer, as if the company did not exist", async () => {
    for (const who of ["other", "dealer"] as const) {
      const answered = await asked(who, ground.ids)
      if (isOfCompany) {
        const to = filled(path, ground.ids)
        const unknownPath = filled(path)
        const unknown = await askAs(ground, who, { method, path: unknownPath })
        expect([who, firstOf(answered)]).toEqual([who, [404, "company", "NOT_FOUND"]])
        expect(sayingOf(answered, to)).toBe(sayingOf(unknown, unknownPath))
      } else expect(firstOf(answered)).toEqual([403, "role", "ROLE_NOT_PERMITTED"])
    }
  })

  it.runIf(isOfCompany && namesIn(path).length > 1)("finds nothing of another company by an id of it", async () => {
    for (const name of namesIn(path)) expect([name, ground.ids[name] ?? isOfTask(name)]).not.toEqual([name, undefined])
    for (const who of ["other", "dealer"] as const) {
      const companyId = ground[who].id
      const [strange, unknown] = [filled(path, { ...ground.ids, companyId }), filled(path, { companyId })]
      const answered = await askAs(ground, who, { method, path: strange })
      if (who === "dealer" && operation.name === "getHandover") expect(answered.status).toBe(200)
      else {
        expect(sayingOf(answered, strange)).toBe(sayingOf(await askAs(ground, who, { method, path: unknown }), unknown))
      }
    }
  })

  it.runIf(isOfCompany && method === "GET")(
    "shows nothing of another company by a filter or a cursor of it",
    async () => {
      const { ids, other, secrets } = ground
      for (const value of [ids["journeyId"], ids["deliveryId"], ids["keyId"], "canary-reference", "CAN 4RY"]) {
        for (const name of ["after", "cursor", "before", "journeyId", "search", "vehicleId", "action", "to"]) {
          const query = new URLSearchParams({ [name]: value ?? "" }).toString()
          const { text } = await askAs(ground, "other", {
            method,
            path: `${filled(path, { companyId: other.id })}?${query}`
          })
          const shown = text.replaceAll(value ?? "", "")
          expect([name, secrets.filter((secret) => shown.includes(secret))]).toEqual([name, []])
        }
      }
    }
  )
})

/** Ids of tasks that nothing on this ground has begun. */
const isOfTask = (name: string): string | undefined => (name === "taskId" ? randomUUID() : undefined)

const locationOf = ({ headers }: Answered) => headers.get("location") ?? headers.get("hx-redirect") ?? ""

describe.each(pages)("$method $path", ({ method, path }) => {
  const isForm = method === "POST"
  const asked = (who: Asking, ids: Readonly<Record<string, string>> = {}) =>
    askAs(ground, who, { method, path: filled(path, ids), isForm })

  it.runIf(!isSignIn({ path }))("leads whoever is not signed in to the sign-in, and shows nothing", async () => {
    for (const who of ["nobody", "waiting"] as const) {
      const answered = await asked(who, ground.ids)
      // Whoever was typing while the session ended reads so (`gate.int.test.ts`). Whoever wants to be signed out, and is, has nothing to read.
      if (isForm && who === "nobody" && path !== "/console/sign-out") {
        expect([answered.status, ground.secrets.filter((secret) => answered.text.includes(secret))]).toEqual([401, []])
        expect(answered.text).toMatch(/href="\/console\/(?:operator\/)?sign-in"/)
        continue
      }
      expect([who, answered.status]).toEqual([who, 303])
      expect(locationOf(answered)).toMatch(/^\/console\/(?:operator\/)?sign-in/)
      expect(answered.text).toBe("")
    }
  })

  it("answers everybody with something of its own, and nobody with an error of ours", async () => {
    for (const who of ["nobody", "waiting", "operator", "owner", "team", "dealer", "other"] as const) {
      const answered = await asked(who)
      expect([who, answered.status, answered.status < 500]).toEqual([who, answered.status, true])
    }
  })

  it.runIf(isOperators({ path }) && !isSignIn({ path }))("is refused to every member", async () => {
    for (const who of ["owner", "team", "dealer", "other"] as const) {
      const answered = await asked(who, ground.ids)
      expect([who, [403, 404].includes(answered.status)]).toEqual([who, true])
    }
  })

  it.runIf(!isSignIn({ path }) && !isOperators({ path }))(
    "shows nothing of another company, by any id of it",
    async () => {
      for (const who of ["other", "dealer"] as const) {
        const to = filled(path, ground.ids)
        const answered = await askAs(ground, who, { method, path: to, isForm })
        // The dealer sees its handovers, and in its own audit log which of them it has looked at.
        if (who === "dealer" && /^\/console\/(?:handovers|audit)\b/.test(path)) continue
        // The page names its own address, also in that of the sign-in that leads back to it.
        const shown = answered.text.replaceAll(to, "").replaceAll(encodeURIComponent(to), "")
        expect([who, ground.secrets.filter((secret) => shown.includes(secret))]).toEqual([who, []])
        if (namesIn(path).length === 0) continue
        const unknown = filled(path)
        expect(sayingOf(answered, to)).toBe(
          sayingOf(await askAs(ground, who, { method, path: unknown, isForm }), unknown)
        )
      }
    }
  )
})
