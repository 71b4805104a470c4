/**
 * The script of an endpoint's life: what may happen, and a life played from its script to its end. Acts follow one another
 * and the clock moves with them, so the same script always gives the same life. Not a test itself.
 */
import { decideEndpoint } from "../../../../src/actors/webhook/rules/decideEndpoint.ts"
import type { EndpointState } from "../../../../src/actors/webhook/rules/EndpointState.ts"
import { healthy } from "../../../../src/actors/webhook/rules/EndpointHealth.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { urlOf, World, type Entry, type Result, type Snapshot } from "./endpointWorld.ts"
import { EventId } from "../../../../src/schema/ids.ts"

/** What happens in a life. `Turn` lets the actor work off the news that have arrived. */
export type Act =
  | { readonly _tag: "Turn" }
  | { readonly _tag: "EventsHappen"; readonly journey: number; readonly count: number }
  | { readonly _tag: "Wake"; readonly resend: boolean }
  | { readonly _tag: "AttemptEnds"; readonly pick: number; readonly result: Result }
  | { readonly _tag: "EndIsHeardTwice" }
  | { readonly _tag: "AllAttemptsEnd"; readonly result: Result }
  | { readonly _tag: "Record"; readonly count: number }
  | { readonly _tag: "TimePasses"; readonly millis: number }
  | { readonly _tag: "TestIsWanted"; readonly isKnown: boolean }
  | { readonly _tag: "OwnerSaves"; readonly enabled: boolean; readonly url: number; readonly isHeard: boolean }
  | { readonly _tag: "OwnerRolls" }
  | { readonly _tag: "OwnerRemoves" }
  | { readonly _tag: "OwnerResends" }
  | { readonly _tag: "DatabaseIs"; readonly away: boolean }
  | { readonly _tag: "Stop" }

export interface Life {
  /** The rules that the life was played through. */
  readonly by: typeof decideEndpoint
  readonly entries: ReadonlyArray<Entry>
  readonly end: Snapshot & { readonly state: EndpointState; readonly now: number }
  /** Tickets that were given out. */
  readonly tickets: ReadonlyArray<number>
  readonly isStopped: boolean
  /** Set when a turn asked questions without end. */
  readonly isEndless: boolean
}

/** Time goes on with every act and every question, so that no two things become due at the same time by chance. */
const perform = (world: World, act: Act): void => {
  world.now += 1
  switch (act._tag) {
    case "Turn":
      return world.turn()
    case "EventsHappen":
      for (let count = 0; count < act.count; count += 1) world.happen(act.journey + (count % 7), "SCHEDULE")
      return
    case "Wake":
      return void world.inbox.push({ _tag: "Woken", resend: act.resend })
    case "AttemptEnds":
      return world.end(act.pick % Math.max(1, world.inFlight.length), act.result)
    case "EndIsHeardTwice":
      if (world.lastEnded !== undefined) world.inbox.push({ _tag: "AttemptEnded", ...world.lastEnded })
      return
    case "AllAttemptsEnd":
      while (world.inFlight.length > 0) world.end(0, act.result)
      return
    case "Record":
      return world.isAway ? undefined : world.record(act.count)
    case "TimePasses":
      world.now += act.millis
      return
    case "TestIsWanted": {
      const eventId = act.isKnown ? world.happen(0, "TEST") : "unknown"
      return void world.inbox.push({ _tag: "TestWanted", eventId: EventId.make(eventId), ticket: world.ticket() })
    }
    case "OwnerSaves": {
      const offReason = act.enabled ? null : "BY_HAND"
      const offSince = act.enabled ? null : world.now
      world.save({ enabled: act.enabled, offReason, offSince, url: urlOf(act.url), health: healthy, removedAt: null })
      if (act.isHeard) world.inbox.push({ _tag: "SettingsChanged", ticket: world.ticket() })
      return
    }
    case "OwnerRolls":
      world.save({})
      return void world.inbox.push({ _tag: "SettingsChanged", ticket: world.ticket() })
    case "OwnerRemoves":
      world.save({ enabled: false, removedAt: world.now, health: healthy })
      return void world.inbox.push({ _tag: "SettingsChanged", ticket: world.ticket() })
    case "OwnerResends":
      world.toResend = [...world.rows].flatMap(([eventId, { status }]) => (status === "PARKED" ? [eventId] : []))
      return void world.inbox.push({ _tag: "Woken", resend: true })
    case "DatabaseIs":
      world.isAway = act.away
      return
    case "Stop":
      return void world.inbox.push({ _tag: "Stopping" })
  }
}

/** Lets everything come to its end: the database is there, every attempt is answered and recorded, and time goes on. */
const drain = (world: World): void => {
  world.isAway = false
  const isAtWork = () =>
    world.inFlight.length > 0 ||
    world.unrecorded.length > 0 ||
    world.inbox.length > 0 ||
    world.due({ _tag: "ReadDue", after: null, limit: 1, withResend: false, withSettings: false }).length > 0
  for (let round = 0; round < 500 && (round < 3 || isAtWork()) && !world.isStopped && !world.isEndless; round += 1) {
    while (world.inFlight.length > 0) world.end(0, "Delivered")
    world.inbox.push({ _tag: "Woken", resend: true })
    world.turn()
    world.record(webhookLimits.mostUnrecorded)
    world.turn()
    world.now += 1000
  }
}

/** `by`: the rules, or others that a fault was planted in. */
export const play = (script: ReadonlyArray<Act>, by = decideEndpoint): Life => {
  const world = new World(by)
  for (const act of script) perform(world, act)
  drain(world)
  const { entries, isEndless, isStopped, now, state, tickets } = world
  return { by, entries, tickets, isStopped, isEndless, end: { ...world.snapshot(), state, now } }
}
