/**
 * Ends exchanges that run over time. One coarse timer serves all of them, because a timer for each would cost more than the
 * exchange itself. The timer runs only while there is something to watch. When the process itself was asleep or too busy to
 * look, the receiver gets no blame.
 */
import { Duration } from "effect"
import { webhookLimits } from "../../schema/webhook/limits.ts"

/** How late a look may be before the service itself is to blame. */
const longestGap =
  Duration.toMillis(webhookLimits.deadlineCheckInterval) + Duration.toMillis(webhookLimits.deadlineCheckDelay)

export interface Timed {
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number
  readonly runOver: (isOwnFault: boolean) => void
}

export class Deadlines<A extends Timed> {
  /** In the order in which they began, which is also the order in which they run over time. */
  readonly #watched = new Set<A>()
  readonly #within: number
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0
  /** The end of the last time in which no look was possible. */
  #blindUntil = Number.NEGATIVE_INFINITY

  constructor(withinMillis: number) {
    this.#within = withinMillis
  }

  watch(timed: A): void {
    this.#watched.add(timed)
    if (this.#timer !== undefined) return
    this.#lookedAt = performance.now()
    this.#timer = setInterval(this.#look, Duration.toMillis(webhookLimits.deadlineCheckInterval))
  }

  forget(timed: A): void {
    this.#watched.delete(timed)
  }

  /** Whether it is over time now, and whose fault that is: the receiver's or the service's own. */
  overrun({ startedAt }: Timed): "NO" | "THEIRS" | "OURS" {
    const now = performance.now()
    if (now - startedAt <= this.#within) return "NO"
    return now - this.#lookedAt > longestGap || startedAt < this.#blindUntil ? "OURS" : "THEIRS"
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  readonly #look = (): void => {
    const now = performance.now()
    if (now - this.#lookedAt > longestGap) this.#blindUntil = now
    this.#lookedAt = now
    for (const timed of this.#watched) {
      const overrun = this.overrun(timed)
      if (overrun === "NO") break
      this.#watched.delete(timed)
      timed.runOver(overrun === "OURS")
    }
    if (this.#watched.size === 0) this.close()
  }
}
