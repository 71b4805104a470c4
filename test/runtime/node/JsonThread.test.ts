/** Large bodies on their thread: read as small ones are, while the event loop goes on, in turns of the companies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Result } from "effect"
import { CurrentWorkFor } from "../../../src/actors/kernel/WorkFor.ts"
import { httpLimits } from "../../../src/http/server/limits.ts"
import { CurrentLargeJson, jsonBodyOf, type JsonBody } from "../../../src/http/server/bodies/jsonBody.ts"
import type { Problem } from "../../../src/http/server/answers/problems.ts"
import { openJsonThread } from "../../../src/runtime/node/JsonThread.ts"
import { canonicalJson } from "../../../src/schema/canonicalJson.ts"

const filler = "n".repeat(httpLimits.largestSmallBody)
const bytesOf = (json: string): Uint8Array => new TextEncoder().encode(json)
const ofCompany = (companyId: string) =>
  Effect.provideService(CurrentWorkFor, { companyId, livemode: false, who: "key" })

const readAtOnce = (json: string): Effect.Effect<Result.Result<JsonBody, Problem>> =>
  Effect.result(CurrentLargeJson.defaultValue().read([bytesOf(json)]))

const refusals = [
  ["text that is no JSON", `{"a":"${filler}",}`],
  ["a name that occurs twice", `{"a":1,"b":"${filler}","\\u0061":2}`],
  ["half of a surrogate pair", `{"a":"${filler}\\ud800"}`],
  ["a number that is too large", `{"a":1e400,"b":"${filler}"}`],
  ["deep nesting", `${"[".repeat(21)}"${filler}"${"]".repeat(21)}`],
  ["too many values", `[${"1,".repeat(20_000)}1]`],
  ["a byte order mark", `\ufeff{"a":"${filler}"}`]
] as const

describe("a large JSON body on its thread", () => {
  it.effect("becomes the value and the spelling that it would become in place", () =>
    Effect.gen(function* () {
      const { read } = yield* openJsonThread()
      const json = `{"b":[-0,2020.0,1e3,null,true],"10":"é😀\\u0065","2":"${filler}","__proto__":{"constructor":[]},"a":{}}`
      // The first piece ends within a character.
      const { canonical, json: value } = yield* read([bytesOf(json).subarray(0, 41), bytesOf(json).subarray(41)])
      assert.deepStrictEqual(value, JSON.parse(json))
      assert.deepStrictEqual(Object.keys(value as object), Object.keys(JSON.parse(json) as object))
      assert.isTrue(Object.is((value as { readonly b: ReadonlyArray<number> }).b[0], -0))
      assert.strictEqual(Buffer.from(canonical ?? []).toString(), canonicalJson(JSON.parse(json)))
    })
  )

  it.effect.each(refusals)("is refused for %s in the same words as in place", ([, json]) =>
    Effect.gen(function* () {
      const { read } = yield* openJsonThread()
      const refused = yield* Effect.result(read([bytesOf(json)]))
      assert.strictEqual(refused._tag, "Failure")
      assert.deepStrictEqual(refused, yield* readAtOnce(json))
    })
  )

  it.effect("lets the event loop turn while it is read", () =>
    Effect.gen(function* () {
      const largeJson = yield* openJsonThread()
      const bytes = bytesOf(JSON.stringify({ notes: "n".repeat(httpLimits.largestJsonBytes - 20) }))
      let turns = 0
      let isRead = false
      const turn = () => {
        if (isRead) return
        turns += 1
        setImmediate(turn)
      }
      setImmediate(turn)
      yield* Effect.provideService(jsonBodyOf(bytes), CurrentLargeJson, largeJson)
      isRead = true
      // Read in place, it is through before the loop turns once.
      assert.isAbove(turns, 1)
    })
  )

  it.effect("of one company comes before the third of another that came earlier", () =>
    Effect.gen(function* () {
      const { read } = yield* openJsonThread()
      const order: Array<string> = []
      const sent = (company: string, name: string) =>
        Effect.map(ofCompany(company)(read([bytesOf(JSON.stringify(filler))])), () => order.push(name))
      yield* Effect.all([sent("a", "a1"), sent("a", "a2"), sent("a", "a3"), sent("b", "b1")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(order, ["a1", "a2", "b1", "a3"])
    })
  )

  it.effect("leaves bytes alone that lie in the memory of others", () =>
    Effect.gen(function* () {
      const { read } = yield* openJsonThread()
      const chunk = bytesOf(`${JSON.stringify(filler)}the next`)
      yield* read([chunk.subarray(0, 9), chunk.subarray(9, filler.length + 2)])
      assert.strictEqual(Buffer.from(chunk.subarray(filler.length + 2)).toString(), "the next")
    })
  )

  it.effect("whose thread ends is answered TEMPORARILY_UNAVAILABLE, and the next one is read", () =>
    Effect.gen(function* () {
      const { read } = yield* openJsonThread(new URL("standInJsonWorker.ts", import.meta.url))
      const { errors } = yield* Effect.flip(read([bytesOf("exit")]))
      assert.strictEqual(errors[0].code, "TEMPORARILY_UNAVAILABLE")
      assert.strictEqual((yield* read([bytesOf("next")])).json, "next")
    })
  )
})

describe("a small JSON body", () => {
  it.effect("is read while large ones wait for the thread", () =>
    Effect.gen(function* () {
      const waits = { read: () => Effect.never }
      const { json } = yield* Effect.provideService(jsonBodyOf(bytesOf('{"a":1}')), CurrentLargeJson, waits)
      assert.deepStrictEqual(json, { a: 1 })
    })
  )
})
