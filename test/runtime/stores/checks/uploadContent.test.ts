/** How the parts of an upload are read and opened, over a stand-in for the database; `PostgresVideos.int.test.ts` has a real one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { make } from "../../../../src/runtime/keys/AesVault.ts"
import { storeLimits } from "../../../../src/runtime/stores/kernel/limits.ts"
import { contentIn, partPlace } from "../../../../src/runtime/stores/checks/uploadContent.ts"
import { sentVideoLimits } from "../../../../src/schema/media/limits.ts"

const vault = make(Buffer.alloc(32, 7))
const key = Effect.runSync(vault.newKey)
const id = "an-upload"
const parts = [randomBytes(sentVideoLimits.largestPartBytes), randomBytes(5), randomBytes(storeLimits.sealedPieceBytes)]
const video = Buffer.concat(parts)
const sealed = parts.map((part, number) => key.sealBytes(partPlace(id, number), part))

type Answer = Effect.Effect<ReadonlyArray<object>>

/** Answers the statements of the reader, and tells how many bytes each read. `see` is called before each, `through` has each answer in hand. */
const stored = (
  read: Array<number>,
  see: (reads: number) => void = () => {},
  through: (answer: Answer) => Answer = (answer) => answer
) => {
  const rows = [...sealed]
  const unsafe = (statement: string, values: ReadonlyArray<unknown> = []) =>
    through(
      Effect.sync(() => {
        if (statement.includes("order by number")) return parts.map(({ length }, number) => ({ number, bytes: length }))
        see(read.length)
        const [, number, from = 1] = values as ReadonlyArray<number>
        const whole = rows[number ?? 0] ?? new Uint8Array()
        const { sealedPieceBytes } = storeLimits
        const row = statement.includes("substring") ? whole.subarray(from - 1, from - 1 + sealedPieceBytes) : whole
        read.push(row.length)
        return [{ sealed: row }]
      })
    )
  const sql = { unsafe } as unknown as SqlClient.SqlClient
  return { rows, open: contentIn(sql, vault)({ id, chunks: parts.length, wrappedKey: key.wrapped }) }
}

const all = <E>(content: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(content), (pieces) => Buffer.concat(pieces))

describe("the content of an upload", () => {
  it.effect("is read and opened in pieces, and never a whole part at once", () =>
    Effect.gen(function* () {
      const read: Array<number> = []
      const { content } = yield* stored(read).open
      const atOnce = yield* Stream.runCollect(Stream.chunks(content))
      assert.isTrue(atOnce.every(({ length }) => length === 1))
      const pieces = atOnce.flat()
      assert.isTrue(Buffer.concat(pieces).equals(video))
      assert.isAtMost(Math.max(...read, ...pieces.map(({ length }) => length)), storeLimits.sealedPieceBytes)
    })
  )

  it.effect("is given from any byte up to any other, across pieces and parts", () =>
    Effect.gen(function* () {
      const { part } = yield* stored([]).open
      const [first = video] = parts
      const edges = [0, 1, storeLimits.sealedPieceBytes, first.length - 1, first.length, first.length + 5, video.length]
      for (const from of edges) {
        for (const end of edges.filter((edge) => edge > from)) {
          assert.isTrue((yield* all(part(from, end))).equals(video.subarray(from, end)), `${from} to ${end}`)
        }
      }
    })
  )

  it.effect("is read a piece at a time, however many read at once", () =>
    Effect.gen(function* () {
      let inHand = 0
      let most = 0
      const { open } = stored(
        [],
        () => {},
        (answer) =>
          Effect.gen(function* () {
            inHand += 1
            most = Math.max(most, inHand)
            yield* Effect.yieldNow
            inHand -= 1
            return yield* answer
          })
      )
      const contents = yield* Effect.all([open, open, open])
      const read = yield* Effect.all(
        contents.map(({ content }) => all(content)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(read.every((bytes) => bytes.equals(video)))
      assert.strictEqual(most, 1)
    })
  )

  it.effect("is whole also where a part was replaced while its pieces were read", () =>
    Effect.gen(function* () {
      const cleaned = randomBytes(sentVideoLimits.largestPartBytes)
      const { open, rows } = stored([], (reads) => {
        if (reads === 3) rows[0] = key.sealBytes(partPlace(id, 0), cleaned)
      })
      const { content } = yield* open
      assert.isTrue((yield* all(content)).equals(Buffer.concat([cleaned, ...parts.slice(1)])))
    })
  )
})
