/**
 * The endpoint's actor in the test kit: its rules, lives of endpoints by chance, and the invariants of these lives. A life is what happens around
 * an endpoint: events, attempts that end and are recorded, an owner who saves and resends, a database that goes away.
 */
import * as fc from "fast-check"
import type { decideEndpoint } from "../../src/actors/webhook/rules/decideEndpoint.ts"
import { endpointInvariants, type EndpointInvariant } from "../actors/webhook/rules/endpointInvariants.ts"
import { lives, stoppedLives } from "../actors/webhook/rules/endpointLives.ts"
import { play, type Act } from "../actors/webhook/rules/endpointScript.ts"
import { holdsInEvery } from "./holdsInEvery.ts"

export interface NamedEndpointInvariant {
  /** Its rule and what it says. No other invariant has it. */
  readonly name: string
  /** `ENDPOINT-4`: by its number in `endpointInvariants.ts`. */
  readonly rule: string
  readonly says: string
  readonly holds: EndpointInvariant
}

/** Lives of an endpoint. In some of them the node stops in the end. */
export const endpointLives: fc.Arbitrary<ReadonlyArray<Act>> = fc.oneof(
  { weight: 3, arbitrary: lives },
  { weight: 1, arbitrary: stoppedLives }
)

/** Plays a life through the rules as the actor would, until nothing is in flight and nothing is due. */
export const playEndpoint = play

export const everyEndpointInvariant: ReadonlyArray<NamedEndpointInvariant> = endpointInvariants.map(
  ({ holds, number, says }) => ({ name: `ENDPOINT-${number}, ${says}`, rule: `ENDPOINT-${number}`, says, holds })
)

/** Throws with the shortest life that breaks it, and the seed that finds that life again. `by`: the rules, or others that a fault was planted in. */
export const holdsForEveryEndpoint = (
  invariant: EndpointInvariant | NamedEndpointInvariant,
  parameters: fc.Parameters<[ReadonlyArray<Act>]> = {},
  by?: typeof decideEndpoint
): void => holdsInEvery(endpointLives, (life) => playEndpoint(life, by), invariant, parameters)
