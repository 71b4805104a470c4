/** Processes that are started through a small one: what they hear and say, their end, and the end of the small one. */
import { Context, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { layer, ProcessStarter } from "../../../src/runtime/processes/ProcessStarter.ts"
import { childProcesses } from "../../support/childProcesses.ts"
import { eventually } from "../../support/eventually.ts"

const shell = (script: string) => ({ command: ["/bin/sh", "-c", script], environment: { A_WORD: "said" } }) as const

/** A part that is larger than what the system keeps for a reader. */
const large = new Uint8Array(3_000_000).fill(120)

const small = () => childProcesses("starterProcess.js")
const sleepers = (seconds: number) => childProcesses(`sleep ${seconds}`)

const opened = async (scope: Scope.Scope) =>
  Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), ProcessStarter)

describe("a process that is started through the small one", () => {
  let scope: Scope.Closeable
  let starter: ProcessStarter["Service"]
  let others: ReadonlyArray<string>
  beforeEach(async () => {
    others = small()
    scope = Scope.makeUnsafe()
    starter = await opened(scope)
  })
  afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** What the process says when it is given the parts, or why not. */
  const saidBy = (script: string, ...parts: ReadonlyArray<Uint8Array>) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { stdin, stdout } = yield* starter.start(shell(script))
        const giving = Effect.ignore(Stream.run(Stream.fromIterable(parts), stdin))
        const [, said] = yield* Effect.all([giving, Stream.runCollect(stdout)], { concurrency: 2 })
        return Buffer.concat(said).toString()
      }).pipe(Effect.scoped)
    )

  it("hears all that it is given, and says it", async () => {
    expect((await saidBy("cat", large, large)).length).toBe(6_000_000)
  })

  it("has the environment that it is given and no other", async () => {
    process.env["A_SECRET_OF_OURS"] = "canary"
    expect(await saidBy("env")).toMatch(/^(?:A_WORD=said|PWD=[^\n]*|OLDPWD=[^\n]*|SHLVL=\d|_=[^\n]*|\n)+$/)
    delete process.env["A_SECRET_OF_OURS"]
  })

  it("says what it says although it hears nothing of a large input", async () => {
    expect(await saidBy("echo heard nothing", large)).toBe("heard nothing\n")
  })

  it("runs beside others", async () => {
    expect(await Promise.all(["one", "two", "three"].map((word) => saidBy("cat", Buffer.from(word))))).toEqual([
      "one",
      "two",
      "three"
    ])
  })

  it("has ended when its scope is closed", async () => {
    const started = Effect.runFork(Effect.scoped(Effect.andThen(starter.start(shell("exec sleep 1001")), Effect.never)))
    await eventually(
      () => sleepers(1001),
      ({ length }) => length === 1
    )
    await Effect.runPromise(Fiber.interrupt(started))
    expect(sleepers(1001)).toEqual([])
  })

  it.each([
    ["exit 7", "exit code 7"],
    ["kill -9 $$", "SIGKILL"]
  ])("tells how it has ended: %s", async (script, how) => {
    const ended = Effect.flatMap(starter.start(shell(script)), (started) => started.ended)
    expect(await Effect.runPromise(Effect.scoped(ended))).toBe(how)
  })

  it("is not started when there is no such program", async () => {
    const start = starter.start({ command: ["/no/such/program"], environment: {} })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(start)))).toMatchObject({ _tag: "NotStarted" })
  })

  it("ends with the small one, and the next is started by another small one", async () => {
    const pid = small().find((one) => !others.includes(one)) ?? ""
    const said = saidBy("exec sleep 1002")
    await eventually(
      () => sleepers(1002),
      ({ length }) => length === 1
    )
    process.kill(Number(pid), "SIGKILL")
    expect(await said).toBe("")
    expect(await saidBy("echo again")).toBe("again\n")
    expect(small()).not.toContain(pid)
  })

  it("ends when the starter is left, and so does the small one", async () => {
    const before = small()
    const own = Scope.makeUnsafe()
    const other = await opened(own)
    await Effect.runPromise(Scope.provide(other.start(shell("exec sleep 1003")), own))
    expect(sleepers(1003)).toHaveLength(1)
    await Effect.runPromise(Scope.close(own, Exit.void))
    expect(sleepers(1003)).toEqual([])
    expect(small()).toEqual(before)
  })
})
