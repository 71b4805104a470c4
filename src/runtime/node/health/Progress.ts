/**
 * Whether due work moves. `Progress` is shown list after list of everything that is due and not done, and remembers since
 * when each entry is unchanged. Work that is done, or put off, is missing from the next list.
 */

/** The name of something due. The name changes once anything was done about it. */
type Due = string

export class Progress {
  readonly #seenSince = new Map<Due, number>()
  #lastMoved: number | null = null

  /** Nobody could move anything until now: counting begins anew. */
  forget(): void {
    this.#seenSince.clear()
    this.#lastMoved = null
  }

  look(due: Iterable<Due>, now: number): void {
    const present = new Set(due)
    for (const one of this.#seenSince.keys()) {
      if (present.has(one)) continue
      this.#seenSince.delete(one)
      this.#lastMoved = now
    }
    for (const one of present) if (!this.#seenSince.has(one)) this.#seenSince.set(one, now)
  }

  /** Milliseconds in which nothing moved, although something was due all the time. */
  stillFor(now: number): number {
    const oldest = Math.min(...this.#seenSince.values())
    return Number.isFinite(oldest) ? now - Math.max(oldest, this.#lastMoved ?? -Infinity) : 0
  }
}
