/** What the log says of things that fail each time and then work. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { troubleNewsOfMany } from "../../../src/actors/kernel/troubleNews.ts"

const newsWith = (most: number) => {
  const said: Array<string> = []
  const say = (line: string) => Effect.sync(() => void said.push(line))
  const news = troubleNewsOfMany({
    lines: {
      ok: ({ id }) => say(`${id} works`),
      failed: ({ id }, cause: string) => say(`${id}: ${cause}`)
    },
    againAfter: Duration.hours(1),
    most
  })
  return { news, said }
}

it.effect("a thing that fails each time has a line when that begins, one an hour later, and one when it works", () =>
  Effect.gen(function* () {
    const { news, said } = newsWith(10)
    for (let look = 0; look <= 720; look++) {
      yield* news.failed({ id: "a" }, `look ${look}`)
      yield* TestClock.adjust("5 seconds")
    }
    expect(said).toEqual(["a: look 0", "a: look 720"])
    yield* news.ok({ id: "a" })
    yield* news.ok({ id: "a" })
    expect(said.slice(2)).toEqual(["a works"])
    yield* news.failed({ id: "a" }, "again")
    expect(said.slice(3)).toEqual(["a: again"])
  })
)

it.effect("each of several things has lines of its own", () =>
  Effect.gen(function* () {
    const { news, said } = newsWith(10)
    yield* news.failed({ id: "a" }, "refused")
    yield* news.failed({ id: "b" }, "refused")
    yield* news.ok({ id: "c" })
    yield* news.ok({ id: "b" })
    expect(said).toEqual(["a: refused", "b: refused", "b works"])
  })
)

it.effect("of more things than are remembered the one whose line is the oldest is forgotten", () =>
  Effect.gen(function* () {
    const { news, said } = newsWith(2)
    for (const id of ["a", "b", "c"]) yield* news.failed({ id }, "refused")
    for (const id of ["a", "b", "c"]) yield* news.ok({ id })
    expect(said).toEqual(["a: refused", "b: refused", "c: refused", "b works", "c works"])
  })
)
