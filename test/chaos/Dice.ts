/** Chance that can be repeated: the same seed gives the same numbers. */

export interface Dice {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number below `count`. */
  readonly below: (count: number) => number
  readonly between: (least: number, most: number) => number
  readonly oneOf: <A>(all: ReadonlyArray<A>) => A
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are enough to choose faults by. */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    oneOf: (all) => {
      const one = all[below(all.length)]
      if (one === undefined) throw new Error("nothing to choose from")
      return one
    }
  }
}
