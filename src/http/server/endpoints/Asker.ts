/**
 * Who asks the settings API: the operator, or a member of a company who is signed in. The gate of the settings API, or the page
 * of the console, provides the asker to the operation; the audit log names the asker. What an operation asks of a member is
 * said by the operation (`allowedTo`), and judged here and nowhere else.
 */
import { Context, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { SignedInOperator } from "../../../actors/installation/OperatorTokens.ts"
import { operatorActor } from "../../../actors/members/memberActor.ts"
import type { SignedInMember } from "../../../actors/members/ConsoleSessions.ts"
import { suffices, type Role } from "../../../schema/members/Role.ts"
import { Described } from "./described.ts"
import { operatorScopeOf, withinScopes } from "../callers/operatorScope.ts"
import { problem, type Problem } from "../answers/problems.ts"

export type AskerIdentity = SignedInOperator | SignedInMember

export class Asker extends Context.Service<Asker, AskerIdentity>()("journeys/http/Asker") {}

/** How the audit log and the journal name the asker: never by a name or an address. */
export const actorOf = (asker: AskerIdentity): string =>
  asker._tag === "Operator" ? operatorActor(asker.token) : `member:${asker.memberId}`

/** The least role of a member that an operation asks for. Undefined: only the operator may ask. */
export const leastRoleOf = ({ annotations }: Pick<HttpApiEndpoint.Top, "annotations">): Role | undefined =>
  Context.getOrUndefined(annotations, Described)?.allowedTo

/**
 * Whether the asker may ask this of the company in the path; null where the path names no company. To a member, another company
 * is as unknown as no company, whatever the operation is.
 */
export const permitted = (endpoint: JudgedEndpoint, asker: AskerIdentity, companyId: string | null) =>
  Effect.tapError(judged(endpoint, asker, companyId), ({ errors }) =>
    Effect.logInfo("An operation was not permitted", {
      who: actorOf(asker),
      operation: `${endpoint.method} ${endpoint.path}`,
      code: errors[0]?.code
    })
  )

type JudgedEndpoint = Pick<HttpApiEndpoint.Top, "annotations" | "method" | "path">

const judged = (
  endpoint: JudgedEndpoint,
  asker: AskerIdentity,
  companyId: string | null
): Effect.Effect<void, Problem> => {
  if (asker._tag === "Operator")
    return asker.token === null ? Effect.void : withinScopes(asker.token, operatorScopeOf(endpoint))
  if (companyId !== null && companyId.toLowerCase() !== asker.companyId) {
    return Effect.fail(problem("NOT_FOUND", "company"))
  }
  const least = leastRoleOf(endpoint)
  if (least !== undefined && companyId !== null && suffices(asker.role, least)) return Effect.void
  return Effect.fail(problem("ROLE_NOT_PERMITTED", "role", refusalOf(least)))
}

const refusalOf = (least: Role | undefined): string =>
  least === undefined
    ? "Only the operator of this installation may do this"
    : "Only an owner of the company may do this"
