/**
 * One of two runners does not reach PostgreSQL, or only late, or not Redis, and nobody tells it: it lets its journeys go, the
 * other runs them, and after a while everything is as before.
 */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { describeWithRedis } from "../../support/redisServer.ts"
import { startTwoRunners, type TwoRunners } from "./twoRunners.ts"

const farMillis = 2000

const waysToMiss: ReadonlyArray<{
  readonly name: string
  readonly begin: (runners: TwoRunners) => unknown
  /** In its readiness, about the cluster. */
  readonly says: string
  readonly code: number
  /** Without Redis nobody renews a registration. */
  readonly isRegistered: boolean
  /** It still knows who asks, and sends what it is asked to the other. */
  readonly passesOn?: true
}> = [
  {
    name: "whose PostgreSQL takes no writes",
    begin: (runners) => runners.readOnly(),
    says: "this runner reaches no database in time that takes writes: others run its journeys",
    code: 200,
    isRegistered: true,
    passesOn: true
  },
  {
    name: "whose PostgreSQL falls silent",
    begin: ({ database }) => database.freeze(),
    says: "this runner reaches no database in time that takes writes: others run its journeys",
    code: 503,
    isRegistered: true
  },
  {
    name: "whose PostgreSQL is two seconds away",
    begin: ({ database }) => database.delay(farMillis),
    says: "this runner reaches no database in time that takes writes: others run its journeys",
    code: 503,
    isRegistered: true
  },
  {
    name: "whose Redis refuses connections",
    begin: ({ redis }) => redis.refuse(),
    says: "this runner does not reach Redis: it wakes no journeys",
    code: 200,
    isRegistered: false
  },
  {
    name: "whose Redis falls silent",
    begin: ({ redis }) => redis.freeze(),
    says: "this runner does not reach Redis: it wakes no journeys",
    code: 200,
    isRegistered: false
  }
]

describeWithRedis("one of two runners", () => {
  let runners: TwoRunners

  beforeAll(async () => {
    runners = await startTwoRunners()
  })
  afterEach(() => runners.heal())
  afterAll(() => runners.stop())

  it.each(waysToMiss)(
    "$name hands its journeys to the other, takes none, says so, and takes its share back",
    async (way) => {
      const journeys = await runners.start()
      await way.begin(runners)
      await runners.handedOver()
      expect(await runners.simulate(journeys, "identity.under_review")).toEqual([200])
      await runners.isReady((code, { cluster }) => code === way.code && cluster?.message.includes(way.says) === true)
      if (way.passesOn) expect(await runners.simulate(journeys, "identity.failed", "BEHIND")).toEqual([200])
      if (way.isRegistered) await runners.renewed(3)
      expect(await runners.held()).toBe(0)

      await runners.heal()
      await runners.spread()
      await runners.isReady((code, { cluster }) => code === 200 && cluster?.status === "ok")
      expect(await runners.simulate(journeys, "identity.verified")).toEqual([200])
    }
  )
})
