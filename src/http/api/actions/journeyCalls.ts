/**
 * The endpoints behind the calls that change a journey, and what the body of each must have. Both are read off the endpoints
 * themselves. Which calls a journey takes is decided by its rules.
 */
import { SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { JourneyCall } from "../../../schema/journey/actions.ts"
import { journeyOperations } from "../journeys/journeys.ts"
import { customerFaceOperations } from "../journeys/replaceCustomerFace.ts"
import { reviewOperations } from "../team/reviews.ts"
import { sandboxOperations } from "../journeys/sandbox.ts"
import { teamOperations } from "../team/team.ts"

// Each has its own types of request and answer; here they are any endpoint.
const endpoints = [
  ...journeyOperations.endpoints,
  ...customerFaceOperations.endpoints,
  ...sandboxOperations.endpoints,
  ...teamOperations.endpoints,
  ...reviewOperations.endpoints
] as ReadonlyArray<unknown> as ReadonlyArray<HttpApiEndpoint.Top>

export const endpointOfCall = (operation: JourneyCall): HttpApiEndpoint.Top => {
  const found = endpoints.find(({ identifier }) => identifier === operation)
  if (found === undefined) throw new Error(`no endpoint is named ${operation}`)
  return found
}

/** A member that a body must have: the values that it may have, or what is said of it. */
export interface RequiredMember {
  readonly name: string
  readonly values: ReadonlyArray<string>
  readonly says: string | null
}

const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap((one) => (SchemaAST.isLiteral(one) ? [String(one.literal)] : [])) : []

const memberOf = ({ name, type }: SchemaAST.PropertySignature): RequiredMember => ({
  name: String(name),
  values: valuesOf(type),
  says: SchemaAST.resolveDescription(type) ?? null
})

/** The members that the body of a call must have; none where the body may be left out. */
export const requiredMembersOf = (operation: JourneyCall): ReadonlyArray<RequiredMember> =>
  [...endpointOfCall(operation).payload.values()].flatMap(({ schemas }) =>
    schemas.flatMap(({ ast }) =>
      SchemaAST.isObjects(ast)
        ? ast.propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type)).map(memberOf)
        : []
    )
  )
