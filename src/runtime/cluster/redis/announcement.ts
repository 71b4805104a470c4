/**
 * One announcement of changed keys, which waits until as many nodes have forgotten as Redis told. Their number may be known later
 * than that they have. How long it waits at most is decided in `RedisKeyNews.ts`.
 */

export class Announcement {
  #forgotten = 0
  #nodes = Number.POSITIVE_INFINITY
  readonly #done: () => void
  constructor(done: () => void) {
    this.#done = done
  }
  isForgotten(): void {
    this.#forgotten += 1
    this.#look()
  }
  isAnnounced(nodes: number): void {
    this.#nodes = nodes
    this.#look()
  }
  #look(): void {
    if (this.#forgotten >= this.#nodes) this.#done()
  }
}
