/**
 * The faults of the cluster. One fault at a time is done and undone, and the dice choose its target. Two nodes stay
 * untouched while one is hurt. A fault of Redis or PostgreSQL hurts all nodes.
 */
import type { Dice } from "./Dice.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import type { World } from "./World.ts"

export interface Fault {
  readonly name: string
  /** Whether the fault hurts one node, whose journeys others take over. The take-over is then measured. */
  readonly isTakeOver: boolean
  /** Does it. Gives the way to undo it. */
  readonly strike: (world: World, victim: NodeProcess, dice: Dice) => Promise<() => Promise<void>>
}

const wait = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** Milliseconds. Longer than a lease, so the others have taken over when the frozen node wakes up. */
const longFreeze = 9000
/** Milliseconds. A pause that nobody should notice, such as a garbage collection. */
const shortFreeze = 1500

const kill: Fault = {
  name: "kill -9 of a node",
  isTakeOver: true,
  strike: async (_, victim) => {
    await victim.end("SIGKILL")
    return () => victim.start()
  }
}

const stop: Fault = {
  name: "SIGTERM to a node",
  isTakeOver: true,
  strike: async (_, victim) => {
    const code = await victim.end("SIGTERM")
    if (code !== 0) throw new Error(`${victim.name} ended with ${code} after SIGTERM: ${victim.said}`)
    return () => victim.start()
  }
}

const freeze = (millis: number, isTakeOver: boolean): Fault => ({
  name: `a node frozen for ${millis / 1000} s`,
  isTakeOver,
  strike: async (_, victim) => {
    victim.signal("SIGSTOP")
    const over = wait(millis)
    return async () => {
      await over
      victim.signal("SIGCONT")
    }
  }
})

const redis = (name: string, strike: (world: World, dice: Dice) => Promise<() => Promise<void>>): Fault => ({
  name,
  isTakeOver: false,
  strike: (world, _, dice) => strike(world, dice)
})

const postgres: Fault = {
  name: "kill -9 of PostgreSQL",
  isTakeOver: false,
  strike: async (world) => {
    await world.killPostgres()
    return () => wait(2000)
  }
}

export const faults: ReadonlyArray<Fault> = [
  kill,
  stop,
  freeze(longFreeze, true),
  freeze(shortFreeze, false),
  redis("FLUSHALL", async ({ redis }) => {
    await redis.command("flushall")
    return () => Promise.resolve()
  }),
  redis("Redis killed, back soon", async ({ redis }, dice) => {
    await redis.kill("SIGKILL")
    return async () => {
      await wait(dice.between(200, 4000))
      await redis.restart()
    }
  }),
  redis("Redis frozen", async ({ redis }, dice) => {
    await redis.kill("SIGSTOP")
    return async () => {
      await wait(dice.between(1000, 9000))
      await redis.kill("SIGCONT")
    }
  }),
  postgres
]
