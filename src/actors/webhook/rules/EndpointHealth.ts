/**
 * An endpoint's streak of failures as its actor keeps it: what each exchange says is judged against what was read or
 * judged last, and what follows from it is written before anything else is read. The rule itself is `health.ts`.
 */
import { Effect } from "effect"
import { isDelivered } from "./classification.ts"
import type { DeliveryStore, DueDelivery, HealthChange } from "../actor/DeliveryStore.ts"
import type { Endpoint } from "../actor/Endpoint.ts"
import { afterAttempt, type Health } from "./health.ts"
import { isEvidence } from "./outcome.ts"
import type { Exchange } from "../actor/Sender.ts"
import { healthWrittenMillis } from "../actor/supervision.ts"

export interface Ending {
  readonly delivery: DueDelivery
  readonly exchange: Exchange
  readonly endedAt: number
}

export class Streak {
  readonly #store: DeliveryStore["Service"]
  /** As the table has it, or will have it when what is owed is written. */
  #written: Health | null = null
  /** Changes that are not written yet, oldest first. */
  readonly #owed: Array<HealthChange> = []

  constructor(store: DeliveryStore["Service"]) {
    this.#store = store
  }

  /** Until everything is written the endpoint is not read again: the table would not know of it. */
  get isWritten(): boolean {
    return this.#owed.length === 0
  }

  /** The endpoint was read. */
  begin(endpoint: Endpoint | null): void {
    this.#written = endpoint?.health ?? null
  }

  /** The endpoint with its health after an exchange. */
  judge(endpoint: Endpoint, { delivery, endedAt, exchange }: Ending): Endpoint {
    if (!endpoint.enabled || !isEvidence(delivery, exchange)) return endpoint
    const { health, notice } = afterAttempt(endpoint.health, isDelivered(exchange), endedAt)
    if (notice !== null || this.#isWorthWriting(health)) {
      this.#written = health
      this.#owed.push({
        endpoint,
        health,
        warning: notice?._tag === "Warn" ? notice.hours : null,
        turnedOffAt: notice?._tag === "TurnOff" ? endedAt : null,
        at: endedAt
      })
    }
    return { ...endpoint, health }
  }

  /** Writes what is owed; true when that turned the endpoint off. What fails is owed still. */
  readonly write = Effect.suspend(() =>
    Effect.gen({ self: this }, function* () {
      let isTurnedOff = false
      for (let next = this.#owed[0]; next !== undefined; next = this.#owed[0]) {
        const { endpoint } = next
        // A change that is refused for good is our mistake, and no reason to stop sending.
        yield* Effect.catchDefect(this.#store.changeHealth(next), (defect) =>
          Effect.logError("An endpoint's health could not be written", { endpointId: endpoint.id }, defect)
        )
        this.#owed.shift()
        isTurnedOff ||= next.turnedOffAt !== null
      }
      return isTurnedOff
    })
  )

  /** In a streak the time of the last failure alone may be a little old: what it is compared with is hours. */
  #isWorthWriting(health: Health): boolean {
    const written = this.#written
    return (
      written === null ||
      written.failingSince !== health.failingSince ||
      written.warnings !== health.warnings ||
      (health.lastFailedAt ?? 0) - (written.lastFailedAt ?? 0) >= healthWrittenMillis
    )
  }
}
