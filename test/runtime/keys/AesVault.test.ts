/** Sealed bytes open with their key, in their place and undamaged, and in no other way. */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import type { StoreUnavailable, Unopenable } from "../../../src/actors/kernel/StoreError.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import { masterKeyId, masterKeysOf, type MasterKeys } from "../../../src/runtime/keys/MasterKeys.ts"
import { keyIdIn } from "../../../src/runtime/keys/sealing.ts"

const vault = make(Buffer.alloc(32, 7))
const place = "personal_records|a journey"
const text = "Ann Example, ann@example.com"

const opens = <A>(opening: Effect.Effect<A, Unopenable | StoreUnavailable>): A | "unopenable" => {
  const opened = Effect.runSync(Effect.result(opening))
  return Result.isSuccess(opened) ? opened.success : "unopenable"
}
const keyOf = (wrapped: Uint8Array) => Effect.runSync(vault.keyOf(wrapped))

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("a large value", () => {
  const key = Effect.runSync(vault.newKey)
  const plain = Buffer.alloc(100_000, "Ann Example ")
  const sealed = Buffer.from(key.sealBytes(place, plain))
  const opened = (at: string, value: Uint8Array, size: number) => {
    const { add, end } = key.openPieces(at)
    const pieces = Array.from({ length: Math.ceil(value.length / size) }, (_, number) =>
      value.subarray(number * size, (number + 1) * size)
    )
    return opens(
      Effect.andThen(
        Effect.forEach(pieces, add),
        Effect.map(end, (all) => Buffer.concat(all))
      )
    )
  }

  it("opens at once and in pieces of any size to what was sealed", () => {
    expect(plain.equals(Buffer.from(opens(key.openBytes(place, sealed))))).toBe(true)
    for (const size of [100, 32 * 1024, 99_999, 1_000_000])
      expect(plain.equals(Buffer.from(opened(place, sealed, size)))).toBe(true)
  })

  it("does not open in pieces when a byte is changed, it is cut short, empty or in another place", () => {
    for (const at of [0, 1, 20, 40, 50_000, sealed.length - 1]) {
      const damaged = Buffer.from(sealed)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(opened(place, damaged, 1000)).toBe("unopenable")
    }
    expect(opened(place, sealed.subarray(0, -1), 1000)).toBe("unopenable")
    expect(opened(place, Buffer.alloc(0), 1000)).toBe("unopenable")
    expect(opened("another place", sealed, 1000)).toBe("unopenable")
  })
})

describe("a sealed text", () => {
  const key = Effect.runSync(vault.newKey)
  const sealed = key.seal(place, text)

  it("opens with its key in its place, even with a key that was wrapped and unwrapped", () => {
    expect(opens(key.open(place, sealed))).toBe(text)
    expect(opens(keyOf(key.wrapped).open(place, sealed))).toBe(text)
  })

  it("does not show what it seals", () => {
    expect(Buffer.from(sealed).toString("latin1")).not.toContain("Ann")
  })

  it("is different every time", () => {
    expect(Buffer.compare(key.seal(place, text), sealed)).not.toBe(0)
  })

  it("does not open in another place", () => {
    expect(opens(key.open("personal_records|another journey", sealed))).toBe("unopenable")
  })

  it("does not open with another customer's key", () => {
    expect(opens(Effect.runSync(vault.newKey).open(place, sealed))).toBe("unopenable")
  })

  it("does not open with any byte changed", () => {
    const wrongs = Array.from(sealed, (_, at) => {
      const damaged = Uint8Array.from(sealed)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      return opens(key.open(place, damaged))
    })
    expect(new Set(wrongs)).toEqual(new Set(["unopenable"]))
  })

  it("does not open when it is cut short at any length", () => {
    const wrongs = Array.from(sealed, (_, length) => opens(key.open(place, sealed.subarray(0, length))))
    expect(new Set(wrongs)).toEqual(new Set(["unopenable"]))
  })

  it("does not open when it is empty and only a part of its tag is left", () => {
    const empty = key.seal(place, "")
    expect(opens(key.open(place, empty))).toBe("")
    // 12 bytes of tag are a tag to the platform, and four of them guessed are far fewer to guess.
    for (const tag of [4, 8, 12, 13, 14, 15]) {
      expect(opens(key.open(place, empty.subarray(0, 1 + 12 + tag)))).toBe("unopenable")
    }
  })
})

describe("a wrapped key", () => {
  const { wrapped } = Effect.runSync(vault.newKey)

  it("does not open under another master key", () => {
    expect(opens(make(Buffer.alloc(32, 8)).keyOf(wrapped))).toBe("unopenable")
  })

  it("does not open when it is damaged", () => {
    const damaged = Uint8Array.from(wrapped)
    damaged[40] = (damaged[40] ?? 0) ^ 1
    expect(opens(vault.keyOf(damaged))).toBe("unopenable")
  })

  it("does not open as a secret of the service, and a secret does not open as a wrapped key", () => {
    expect(opens(vault.openSecret("customer key", wrapped))).toBe("unopenable")
    expect(opens(vault.keyOf(vault.sealSecret("customer key", "x".repeat(32))))).toBe("unopenable")
  })
})

describe("an index", () => {
  it("is the same for the same text, and differs with the purpose, the text or the master key", () => {
    const of = vault.index("email", "ann@example.com")
    expect(hex(vault.index("email", "ann@example.com"))).toBe(hex(of))
    const others = [
      vault.index("request", "ann@example.com"),
      vault.index("email", "anne@example.com"),
      make(Buffer.alloc(32, 8)).index("email", "ann@example.com")
    ]
    expect(new Set([of, ...others].map(hex)).size).toBe(4)
    expect(of.length).toBe(32)
  })
})

const seal = (keys: MasterKeys) => keys.seal("service secrets", place, Buffer.from(text))
const openedBy = (keys: MasterKeys, sealed: Uint8Array) => opens(keys.open("service secrets", place, sealed)).toString()

describe("a vault with several master keys", () => {
  const [first, second] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  const firstId = masterKeyId(first)
  /** How an older version of the service sealed: without the id of a key. */
  const nameless = masterKeysOf(first, [], firstId)
  it("writes into a value under which key it stands, and opens it with that key alone", () => {
    const sealed = seal(masterKeysOf(second, [first]))
    expect(keyIdIn(sealed)).toBe(masterKeyId(second))
    expect(openedBy(masterKeysOf(first, [second]), sealed)).toBe(text)
    expect(openedBy(masterKeysOf(first), sealed)).toBe("unopenable")
  })

  it("opens a value without an id with the first key, and goes on to write none while that key seals", () => {
    const sealed = seal(nameless)
    expect(keyIdIn(sealed)).toBeNull()
    expect(openedBy(masterKeysOf(second, [first], firstId), sealed)).toBe(text)
    expect(keyIdIn(seal(masterKeysOf(second, [first], firstId)))).toBe(masterKeyId(second))
  })

  it("moves a value to the key that seals, so that the old key is needed no more", () => {
    const moved = opens(masterKeysOf(second, [first], firstId).reseal("service secrets", place, seal(nameless)))
    expect(openedBy(masterKeysOf(second), Buffer.from(moved))).toBe(text)
    expect(openedBy(nameless, Buffer.from(moved))).toBe("unopenable")
  })
})
