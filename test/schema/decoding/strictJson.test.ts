import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseStrictJson } from "../../../src/schema/decoding/strictJson.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const parse = (text: string): unknown => Result.getOrThrow(parseStrictJson(bytesOf(text)))

const problem = (input: string | Uint8Array): [field: string, message: string] => {
  const result = parseStrictJson(typeof input === "string" ? bytesOf(input) : input)
  if (Result.isSuccess(result)) return ["", "accepted"]
  expect(result.failure.code).toBe("VALIDATION_FAILED")
  return [result.failure.field, result.failure.message]
}

/** Why a body is refused as a whole. */
const refusal = (input: string | Uint8Array): string => {
  const [field, message] = problem(input)
  if (message !== "accepted") expect(field).toBe("body")
  return message
}

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)
const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 0))

describe("a strict JSON body", () => {
  it("is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        expect(parse(text)).toEqual(JSON.parse(text))
        expect(parse(JSON.stringify(value, null, 2))).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 }
    )
  })

  it("may be any one value, with white space around it", () => {
    for (const text of ["null", " 1 ", '\n"x"\t', "[]", "{}", "true", "-0.5e3"])
      expect(parse(text)).toEqual(JSON.parse(text))
  })

  it.each([
    "",
    "   ",
    '{"a":1',
    '{"a":1,}',
    "[1,]",
    "{'a':1}",
    "{a:1}",
    '{"a":1}x',
    "{} {}",
    '{"a":1}/* c */',
    "// c\n1",
    "NaN",
    "Infinity",
    "01",
    "+1",
    ".5",
    "0x10",
    "1.",
    "undefined",
    '"a',
    '"\\',
    '"\\x41"',
    '"\\u00g1"',
    '"a\nb"',
    '"a\u0000b"',
    "\u00a01",
    "]",
    ":",
    ",",
    "{,}",
    '{"a"}',
    '{"a":1:2}',
    '["a":1]'
  ])("refuses %j, which is not JSON", (text) => {
    expect(refusal(text)).toMatch(/^The body must be one JSON value/)
  })

  it("says where the JSON ends, and repeats nothing of it", () => {
    expect(refusal('{"email":"ann@example.com",}')).toBe("The body must be one JSON value (see character 27)")
    expect(refusal("secret")).not.toContain("secret")
  })

  it.each([
    [0xff, 0xfe, 0xc0, 0xaf],
    [0x80],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82],
    [0xf8, 0x88, 0x80, 0x80, 0x80]
  ])("refuses invalid UTF-8 in a string (%j)", (...bytes: ReadonlyArray<number>) => {
    expect(refusal(Uint8Array.from([0x22, ...bytes, 0x22]))).toBe("The body must be valid UTF-8")
  })

  it("refuses UTF-16 and a byte order mark", () => {
    expect(refusal(Buffer.from("\ufeff{}", "utf16le"))).toBe("The body must be valid UTF-8")
    expect(refusal("\ufeff{}")).toBe("The body must not start with a byte order mark")
  })

  it.each([
    '{"type":1,"type":1}',
    '{"a":{"b":[{"c":1,"d":2,"c":3}]}}',
    '{"type":1,"typ\\u0065":2}',
    '{"\\/":1,"/":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"__proto__":{},"__proto\\u005f_":{}}',
    '{"":1,"":2}',
    '[{},{"a":1,"a":{"b":1}}]',
    `{${Array.from({ length: 300 }, (_, at) => `"k${at}":0`).join()},"k7":1}`
  ])("refuses a name that occurs twice in %s", (text) => {
    expect(refusal(text)).toBe("A name must not occur twice in one object")
  })

  it("takes a name again in another object, and colons and quotes inside text", () => {
    for (const text of ['{"a":{"a":[{"a":1},{"a":2}]}}', '{"a":":\\"a\\":","b":"{\\\\"}', '["\\"","\\\\",{"\\"":1}]']) {
      expect(parse(text)).toEqual(JSON.parse(text))
    }
  })

  it("keeps __proto__ a name like others", () => {
    const value = parse('{"__proto__":{"polluted":true}}') as object
    expect(Object.keys(value)).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it.each([
    ['"\\u0000"', "body"],
    ['{"a":["x\\u0000"]}', "a[0]"],
    ['{"\\u0000":1}', '["\\u0000"]'],
    ['"\\ud800"', "body"],
    ['"\\udc00\\ud800"', "body"],
    ['{"a\\udfff":1}', '["a\\udfff"]'],
    ['{"b":{"c":"x","d":[0,{"e":"\\ud83dx"}]},"f":"\\u0000"}', "b.d[1].e"]
  ])("refuses %s, which a database cannot keep, and says where it is", (text, field) =>
    expect(problem(text)).toEqual([
      field,
      `${field === "body" ? "The body" : field} must not hold U+0000 or half of a surrogate pair, such as half of an emoji`
    ])
  )

  it("takes every other escape", () => {
    for (const text of ['"\\u0001"', '"\\ud83d\\ude00"', '"\\\\u0000"', '{"\\u00e9":"\\n\\t\\/"}', '"\\ufeff"']) {
      expect(parse(text)).toEqual(JSON.parse(text))
    }
  })

  it("nests at most 20 deep", () => {
    expect(parse(nested(20))).toEqual(JSON.parse(nested(20)))
    expect(refusal(nested(21))).toBe("The body must not nest deeper than 20 levels")
    expect(refusal(`${'{"a":'.repeat(21)}1${"}".repeat(21)}`)).toBe("The body must not nest deeper than 20 levels")
    expect(parse(`["${"[".repeat(100)}",[],[],[[]]]`)).toHaveLength(4)
  })

  it("holds at most 2,000 values", () => {
    expect(parse(list(1_999))).toHaveLength(1_999)
    expect(refusal(list(2_000))).toBe("The body must not hold more than 2000 values")
    expect(refusal(`[${"{},".repeat(1_000)}{}]`)).toBe("The body must not hold more than 2000 values")
    expect(parse(`"${",".repeat(5_000)}"`)).toHaveLength(5_000)
  })

  it("holds no number beyond what a double can", () => {
    expect(problem('{"a":[1,1e400]}')).toEqual(["a[1]", "a[1] must be a smaller number"])
    expect(problem("9".repeat(1_000))).toEqual(["body", "The body must be a smaller number"])
    expect(parse("1e308")).toBe(1e308)
  })

  it.each([
    ["a million brackets", "[".repeat(1e6)],
    ["a million open objects", '{"a":'.repeat(2e5)],
    ["a million escaped quotes", `"${'\\"'.repeat(5e5)}`],
    ["a million backslashes", `"${"\\".repeat(1e6)}`],
    ["a million quotes", '"'.repeat(1e6)],
    ["a million values", `[${"1,".repeat(5e5)}1]`]
  ])("refuses %s without reading any part of it again and again", { timeout: 10_000 }, (_, text) => {
    expect(refusal(bytesOf(text))).not.toBe("accepted")
  })
})
