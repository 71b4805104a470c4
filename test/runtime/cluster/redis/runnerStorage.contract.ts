/**
 * What the cluster needs of a `RunnerStorage`, asked of each one alike. A storage is one life of one process; leases end
 * by themselves after `leaseEnds` if they are not renewed. A renewal of what is lost may be answered with less, or fail:
 * either tells the cluster to stop what it runs.
 */
import { Cause, Effect, Exit } from "effect"
import { Runner, RunnerAddress, type RunnerStorage, ShardId } from "effect/cluster"
import { afterEach, beforeEach, expect, it } from "vitest"
import { eventually } from "../../../support/eventually.ts"

export const leaseEnds = "1 second"

export interface Life {
  readonly storage: RunnerStorage.RunnerStorage["Service"]
  /** The process dies without a word: what it holds is neither renewed nor given back. */
  readonly die: () => Promise<void>
}

export interface Backend {
  /** A new life of a process; all lives of one backend share what is stored. */
  readonly begin: () => Promise<Life>
  readonly stop: () => Promise<void>
}

export const addressOf = (name: string) => RunnerAddress.make(name, 1)
export const shardsOf = (...ids: ReadonlyArray<number>) => ids.map((id) => ShardId.make("default", id))
const runnerAt = (name: string) => new Runner.Runner({ address: addressOf(name), groups: ["default"], weight: 1 })
const a = addressOf("a")
const b = addressOf("b")

type Storage = RunnerStorage.RunnerStorage["Service"]
type Held = Effect.Effect<ReadonlyArray<ShardId.ShardId>, unknown>

const inOrder = (ids: ReadonlyArray<number>) => ids.toSorted((x, y) => x - y)
const idsOf = async (held: Held) => inOrder((await Effect.runPromise(held)).map(({ id }) => id))

/** What a renewal leaves; one that fails leaves nothing that is sure. */
const renewed = async (held: Held) => {
  const exit = await Effect.runPromiseExit(held)
  if (Exit.isSuccess(exit)) return inOrder(exit.value.map(({ id }) => id))
  expect(Cause.hasDies(exit.cause)).toBe(false)
  return []
}

const runnersOf = async (storage: Storage) =>
  (await Effect.runPromise(storage.getRunners))
    .map(([{ address }, healthy]) => `${address.host} ${healthy ? "healthy" : "unhealthy"}`)
    .toSorted()

/** The tests; `prepare` makes an empty backend before each. */
export const keepsTheContract = (prepare: () => Promise<Backend>) => {
  let backend: Backend
  const begin = async () => (await backend.begin()).storage
  beforeEach(async () => {
    backend = await prepare()
  })
  afterEach(() => backend.stop())

  it("knows who registered, each with a machine id of its own that it keeps", async () => {
    const [first, second] = [await begin(), await begin()]
    const one = await Effect.runPromise(first.register(runnerAt("a"), true))
    const two = await Effect.runPromise(second.register(runnerAt("b"), true))
    expect(one % 1024).not.toBe(two % 1024)
    expect(await Effect.runPromise(first.register(runnerAt("a"), true))).toBe(one)
    expect(await runnersOf(first)).toEqual(["a healthy", "b healthy"])
    expect(await runnersOf(second)).toEqual(["a healthy", "b healthy"])
  })

  it("forgets who unregistered", async () => {
    const storage = await begin()
    await Effect.runPromise(storage.register(runnerAt("a"), true))
    await Effect.runPromise(storage.unregister(a))
    expect(await runnersOf(storage)).toEqual([])
  })

  it("passes on what others found out about a runner's health", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.register(runnerAt("a"), true))
    await Effect.runPromise(second.setRunnerHealth(a, false))
    expect(await runnersOf(first)).toEqual(["a unhealthy"])
    await Effect.runPromise(second.setRunnerHealth(a, true))
    expect(await runnersOf(first)).toEqual(["a healthy"])
    await Effect.runPromise(second.setRunnerHealth(addressOf("nobody"), true))
    expect(await runnersOf(first)).toEqual(["a healthy"])
  })

  it("forgets a runner that does not renew, and keeps one that does, with shards or without", async () => {
    const [living, dead] = [await begin(), await begin()]
    await Effect.runPromise(living.register(runnerAt("a"), true))
    await Effect.runPromise(dead.register(runnerAt("b"), true))
    const left = await eventually(
      async () => {
        await Effect.runPromise(living.refresh(a, []))
        return runnersOf(living)
      },
      (names) => names.length === 1
    )
    expect(left).toEqual(["a healthy"])
  })

  it("gives a shard to one owner only, whoever asks first", async () => {
    const [first, second] = [await begin(), await begin()]
    const all = shardsOf(1, 2, 3, 4, 5, 6, 7, 8)
    const given = await Promise.all([idsOf(first.acquire(a, all)), idsOf(second.acquire(b, all))])
    expect(inOrder(given.flat())).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await idsOf(second.acquire(b, shardsOf(...(given[0] ?? []))))).toEqual([])
    expect(await idsOf(first.acquire(a, all))).toEqual(given[0])
  })

  it("renews what is held and nothing else", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.acquire(a, shardsOf(1, 2)))
    await Effect.runPromise(second.acquire(b, shardsOf(3)))
    expect(await renewed(first.refresh(a, shardsOf(1, 2, 3, 4)))).toEqual([1, 2])
    expect(await idsOf(second.acquire(b, shardsOf(4)))).toEqual([4])
  })

  it("keeps what is renewed for longer than a lease lasts", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.acquire(a, shardsOf(1)))
    const until = performance.now() + 2500
    await eventually(
      async () => {
        expect(await renewed(first.refresh(a, shardsOf(1)))).toEqual([1])
        expect(await idsOf(second.acquire(b, shardsOf(1)))).toEqual([])
        return performance.now()
      },
      (now) => now > until
    )
  })

  it("lets others take what is not renewed, and never gives it back to its last owner by a renewal", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.acquire(a, shardsOf(1, 2)))
    await eventually(
      () => idsOf(second.acquire(b, shardsOf(1))),
      (ids) => ids.length === 1
    )
    expect(await renewed(first.refresh(a, shardsOf(1, 2)))).toEqual([])
    expect(await renewed(second.refresh(b, shardsOf(1)))).toEqual([1])
    // The lease on 2 has ended as well, although nobody took it: it must be acquired again.
    expect(await idsOf(first.acquire(a, shardsOf(1, 2)))).toEqual([2])
  })

  it("frees what is given back at once, and only that", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.acquire(a, shardsOf(1, 2, 3)))
    await Effect.runPromise(first.release(a, ShardId.make("default", 1)))
    expect(await idsOf(second.acquire(b, shardsOf(1, 2, 3)))).toEqual([1])
    await Effect.runPromise(first.releaseAll(a))
    expect(await idsOf(second.acquire(b, shardsOf(1, 2, 3)))).toEqual([1, 2, 3])
  })

  it("does not let anybody give back what another one holds", async () => {
    const [first, second] = [await begin(), await begin()]
    await Effect.runPromise(first.acquire(a, shardsOf(1)))
    await Effect.runPromise(second.release(b, ShardId.make("default", 1)))
    await Effect.runPromise(second.releaseAll(b))
    expect(await idsOf(second.acquire(b, shardsOf(1)))).toEqual([])
  })

  it("takes a process that starts again at the same address for another owner", async () => {
    const [before, after] = [await begin(), await begin()]
    await Effect.runPromise(before.acquire(a, shardsOf(1)))
    expect(await idsOf(after.acquire(a, shardsOf(1)))).toEqual([])
    expect(await renewed(after.refresh(a, shardsOf(1)))).toEqual([])
    await Effect.runPromise(after.releaseAll(a))
    expect(await renewed(before.refresh(a, shardsOf(1)))).toEqual([1])
  })

  it("gives the shards of a process that died to the one that starts again at its address", async () => {
    const before = await backend.begin()
    await Effect.runPromise(before.storage.acquire(a, shardsOf(1, 2)))
    await before.die()
    const after = await begin()
    const given = await eventually(
      () => idsOf(after.acquire(a, shardsOf(1, 2))),
      (ids) => ids.length === 2
    )
    expect(given).toEqual([1, 2])
  })
}
