/**
 * Due deliveries that an endpoint's actor holds in memory, in the order in which they may be sent: oldest first, and of
 * one journey the first attempt of an event only when that of the event before has ended (W14). Retries wait for
 * nothing and hold nothing back.
 */
import type { DueDelivery } from "./DeliveryStore.ts"

const isFirstAttempt = ({ attempts, sequence }: DueDelivery): boolean => attempts === 0 && sequence > 0

export class Hand {
  /** Everything held, under way included: a delivery that is read twice is held once. */
  readonly #held = new Set<string>()
  #underway = 0
  /** In the order they were read; taken from `#head` on, so that taking one costs nothing. */
  #queue: Array<DueDelivery> = []
  #head = 0
  /** Journeys with a first attempt under way, and what waits for it. */
  readonly #journeys = new Map<string, Array<DueDelivery>>()
  /** First attempts whose journey's turn has come. */
  #turns: Array<DueDelivery> = []

  /** Deliveries that are not under way. */
  get waiting(): number {
    return this.#held.size - this.#underway
  }

  /** Deliveries taken, and not released yet. */
  get underway(): number {
    return this.#underway
  }

  has(eventId: string): boolean {
    return this.#held.has(eventId)
  }

  put(delivery: DueDelivery): void {
    if (this.#held.has(delivery.eventId)) return
    this.#held.add(delivery.eventId)
    this.#queue.push(delivery)
  }

  /** Marks one that is sent past the queue as under way. */
  takeDirectly(delivery: DueDelivery): void {
    this.#held.add(delivery.eventId)
    this.#underway += 1
  }

  /** The next delivery to send; null when none may be sent now. */
  take(): DueDelivery | null {
    const next = this.#turns.shift() ?? this.#nextOfQueue()
    if (next !== null) this.#underway += 1
    return next
  }

  #nextOfQueue(): DueDelivery | null {
    for (;;) {
      const next = this.#queue[this.#head]
      if (next === undefined) {
        this.#queue = []
        this.#head = 0
        return null
      }
      this.#head += 1
      if (!isFirstAttempt(next)) return next
      const behind = this.#journeys.get(next.journeyId)
      if (behind === undefined) {
        this.#journeys.set(next.journeyId, [])
        return next
      }
      behind.push(next)
    }
  }

  /** An attempt has ended: the next event of its journey may go. */
  ended(delivery: DueDelivery): void {
    if (!isFirstAttempt(delivery)) return
    const next = this.#journeys.get(delivery.journeyId)?.shift()
    if (next === undefined) this.#journeys.delete(delivery.journeyId)
    else this.#turns.push(next)
  }

  /** What became of it is in the log: it may be read and held again. */
  release(eventId: string): void {
    if (this.#held.delete(eventId)) this.#underway -= 1
  }

  /** Forgets what is not under way. */
  drop(): void {
    const unsent = [...this.#turns, ...this.#queue.slice(this.#head), ...[...this.#journeys.values()].flat()]
    for (const { eventId } of unsent) this.#held.delete(eventId)
    for (const { journeyId } of this.#turns) this.#journeys.delete(journeyId)
    for (const behind of this.#journeys.values()) behind.length = 0
    this.#turns = []
    this.#queue = []
    this.#head = 0
  }
}
