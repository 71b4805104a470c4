/**
 * The bytes of bodies that a node holds in memory at once. Live journeys, test journeys and callers whom nobody knows yet have
 * a part each, so none of them takes another's room. In a part a company may hold as much as it leaves free, and one of its
 * keys, or one customer, half of that. This file counts; how a body is read is not its business.
 */
import { Context, Effect, Layer } from "effect"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import type { WorkFor } from "../../../actors/kernel/WorkFor.ts"
import { httpLimits } from "../limits.ts"

const {
  largestBodyBudget,
  largestMultipartBytes,
  shareOfLiveBodies,
  shareOfMemoryForBodies,
  shareOfTestBodies,
  smallestBodyBudget
} = httpLimits

interface Part {
  readonly size: number
  held: number
  readonly byCompany: Map<string, number>
  readonly byWho: Map<string, number>
}

const partOf = (size: number): Part => ({ size, held: 0, byCompany: new Map(), byWho: new Map() })

const add = (counts: Map<string, number>, key: string, bytes: number): void => {
  const sum = (counts.get(key) ?? 0) + bytes
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

/** The room of one body. */
export interface BodyRoom {
  /** Whether the body may have so many bytes. What it has already is not asked for again. */
  readonly holds: (bytes: number) => boolean
  readonly bytes: () => number
  readonly release: () => void
}

export interface BodyBudget {
  readonly open: (owner: WorkFor) => BodyRoom
  /** Bytes held now. */
  readonly held: () => number
}

export const bodyBudgetOf = (bytes: number): BodyBudget => {
  const live = partOf(bytes * shareOfLiveBodies)
  const test = partOf(bytes * shareOfTestBodies)
  const unknown = partOf(bytes - live.size - test.size)

  const open = ({ companyId, livemode, who }: WorkFor): BodyRoom => {
    const part = companyId === null ? unknown : livemode ? live : test
    const company = companyId ?? who
    const one = `${company} ${who}`
    let held = 0
    let isOpen = true

    const mayTake = (more: number): boolean => {
      const free = part.size - part.held
      // A body that is alone may take more than a share: the largest of them is larger than the shares of a small node.
      const ofCompany = (part.byCompany.get(company) ?? 0) + more
      const ofOne = (part.byWho.get(one) ?? 0) + more
      const isFirst = ofOne === held + more
      return ofCompany <= free && (isFirst || ofOne <= Math.max(largestMultipartBytes, free / 2))
    }
    const change = (by: number) => {
      held += by
      part.held += by
      add(part.byCompany, company, by)
      add(part.byWho, one, by)
    }
    return {
      holds: (wanted) => {
        if (wanted <= held) return true
        if (!isOpen || !mayTake(wanted - held)) return false
        change(wanted - held)
        return true
      },
      bytes: () => held,
      release: () => {
        isOpen = false
        if (held > 0) change(-held)
      }
    }
  }
  return { open, held: () => live.held + test.held + unknown.held }
}

/** The budget in bytes for so many bytes of memory. */
export const usualBodyBudget = (memory: number): number =>
  Math.max(smallestBodyBudget, Math.min(largestBodyBudget, memory * shareOfMemoryForBodies))

export const CurrentBodyBudget = Context.Reference<BodyBudget>("journeys/http/CurrentBodyBudget", {
  defaultValue: () => bodyBudgetOf(smallestBodyBudget)
})

/** A budget of so many bytes, with its metric. */
export const layerOf = (bytes: number): Layer.Layer<never> =>
  Layer.effect(
    CurrentBodyBudget,
    Effect.gen(function* () {
      const budget = bodyBudgetOf(bytes)
      const meter = yield* currentMeter
      yield* meter.read("journeys_body_bytes_held", {}, budget.held)
      return budget
    })
  )
