/** An invariant as a property over lives by chance: a failure is shrunk to the shortest life that shows it. */
import * as fc from "fast-check"

/** What is wrong with what a life came to, in words; nothing when the invariant holds. */
type Rule<Played> = (played: Played) => ReadonlyArray<string>

/** Throws with the shortest life that breaks it, and the seed that finds that life again. */
export const holdsInEvery = <Life, Played>(
  lives: fc.Arbitrary<Life>,
  play: (life: Life) => Played,
  invariant: Rule<Played> | { readonly holds: Rule<Played> },
  parameters: fc.Parameters<[Life]>
): void => {
  const holds = typeof invariant === "function" ? invariant : invariant.holds
  fc.assert(
    fc.property(lives, (life) => {
      const wrongs = holds(play(life))
      if (wrongs.length > 0) throw new Error(wrongs.join("; "))
    }),
    parameters
  )
}
