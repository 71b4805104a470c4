/**
 * The invariants of the journey's life in one list, and how to hold one of them: over random lives, where a failure
 * is shrunk to the shortest life that shows it, or over one life that is at hand.
 */
import type * as fc from "fast-check"
import type { decide } from "../../src/actors/journey/rules/decide.ts"
import { consentInvariants } from "../actors/journey/rules/consentInvariants.ts"
import type { Invariant } from "../actors/journey/rules/history.ts"
import { invariants } from "../actors/journey/rules/invariants.ts"
import { owedInvariants } from "../actors/journey/rules/owedInvariants.ts"
import { play, type History } from "../actors/journey/rules/histories.ts"
import { sequences } from "../actors/journey/rules/sequences.ts"
import { holdsInEvery } from "./holdsInEvery.ts"

export interface NamedInvariant {
  /** Its rule and what it says. No other invariant has it: a rule may be several invariants. */
  readonly name: string
  /** `LIFE-4`: an invariant of the journey's life by its number in `invariants.ts`; else the code of docs/decisions.md that it is of. */
  readonly rule: string
  readonly says: string
  readonly holds: Invariant
}

export const everyInvariant: ReadonlyArray<NamedInvariant> = [
  ...invariants.map(({ holds, number, says }) => ({ rule: `LIFE-${number}`, says, holds })),
  ...owedInvariants,
  ...consentInvariants
].map(({ holds, rule, says }) => ({ name: `${rule}, ${says}`, rule, says, holds }))

/** What a life breaks: the invariant by its name, and what is wrong. */
export const brokenBy = (history: History): ReadonlyArray<string> =>
  everyInvariant.flatMap(({ holds, name }) => holds(history).map((wrong) => `${name}: ${wrong}`))

/** Throws with the shortest life that breaks it, and the seed that finds that life again. `by`: the rules, or others that a fault was planted in. */
export const holdsInEveryLife = (
  invariant: Invariant | NamedInvariant,
  parameters: fc.Parameters<[Parameters<typeof play>[0]]> = {},
  by?: typeof decide
): void => holdsInEvery(sequences({ clock: "steps back" }), (life) => play(life, undefined, by), invariant, parameters)
