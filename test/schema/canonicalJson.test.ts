import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../../src/schema/canonicalJson.ts"

/** The same value with the names of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversed(member)])
      .toReversed()
  )
}

const same = (one: string, other: string): boolean =>
  canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other))

describe("canonical JSON", () => {
  it("is the same whatever the order of names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      })
    )
  })

  it("reads back as the value it was made of", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(canonicalJson(JSON.parse(text)))).toEqual(JSON.parse(text))
      })
    )
  })

  it("tells different values apart", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [left, right]: [unknown, unknown] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))]
        let isEqual = true
        try {
          expect(left).toEqual(right)
        } catch {
          isEqual = false
        }
        expect(canonicalJson(left) === canonicalJson(right)).toBe(isEqual)
      })
    )
  })

  it("sorts names by code unit, at every depth, and writes no spaces", () => {
    expect(canonicalJson({ b: 1, a: { "\u00e9": 1, z: [{ y: 1, x: 2 }], Z: null }, "": true, "10": 0, "9": 0 })).toBe(
      '{"":true,"10":0,"9":0,"a":{"Z":null,"z":[{"x":2,"y":1}],"\u00e9":1},"b":1}'
    )
    // U+FB33 is below U+1F600 as a code point, and above its first code unit.
    expect(canonicalJson({ "\ufb33": 1, "\u{1f600}": 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}')
  })

  it("does not depend on how a number or a string was written", () => {
    expect(same("2020", "2020.0")).toBe(true)
    expect(same("2020", "2.02e3")).toBe(true)
    expect(same("0", "-0")).toBe(true)
    expect(same("15995.50", "15995.5")).toBe(true)
    expect(same('"\\u00e9\\/"', '"\u00e9/"')).toBe(true)
    expect(same('{"a":1}', ' { "a" : 1 } ')).toBe(true)
    expect(same("2020", "2020.1")).toBe(false)
    expect(same("1", '"1"')).toBe(false)
  })

  it("keeps the order of lists, and the difference between absent, null and empty", () => {
    expect(same("[1,2]", "[2,1]")).toBe(false)
    expect(
      new Set(["{}", '{"a":null}', '{"a":""}', '{"a":[]}', '{"a":{}}'].map((text) => canonicalJson(JSON.parse(text))))
        .size
    ).toBe(5)
  })

  it("takes __proto__ for a name", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}')
  })
})
