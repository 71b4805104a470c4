/**
 * Reads the bytes of a request body as one JSON value, more strictly than JSON.parse. It refuses invalid UTF-8, a byte
 * order mark, a name that occurs twice in an object, U+0000, lone surrogates, too deep nesting and too many values. It
 * does not know what the value means. Its messages do not repeat the body, which may hold personal data.
 */
// Not from "effect": the thread that reads large bodies would load all of it.
import * as Result from "effect/Result"
import { jsonLimits } from "./limits.ts"
import { memberPath } from "./quoteName.ts"
import type { FieldError } from "../problems.ts"

const { deepestNesting, mostValues } = jsonLimits

const byteOrderMark = 0xfeff
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export const parseStrictJson = (bytes: Uint8Array): Result.Result<unknown, FieldError> => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return refused("The body must be valid UTF-8")
  }
  if (text.charCodeAt(0) === byteOrderMark) return refused("The body must not start with a byte order mark")
  // This comes before JSON.parse, which would first build a million nested arrays.
  const names = countNames(text)
  if (typeof names === "string") return refused(names)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refused(`The body must be one JSON value${positionIn(error)}`)
  }
  const seen: Seen = { names: 0, sound: true, escapes: text.includes("\\u") }
  look(value, seen)
  if (!seen.sound) return Result.fail(faultIn(value, "") ?? invalid("body", "The body cannot be kept"))
  // JSON.parse keeps the last of two equal names, however they were spelled. So a name that occurs twice is missing
  // from the count.
  if (seen.names !== names) return refused("A name must not occur twice in one object")
  return Result.succeed(value)
}

const refused = (message: string): Result.Result<never, FieldError> => Result.fail(invalid("body", message))

const invalid = (field: string, message: string): FieldError => ({ field, code: "VALIDATION_FAILED", message })

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c

/**
 * How many names the text has if it is JSON, or why it is refused. Text that is not JSON only has to be bounded here;
 * JSON.parse refuses it afterwards.
 */
const countNames = (text: string): number | string => {
  let depth = 0
  let names = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = closingQuote(text, at)
      if (at === -1) return names
    } else if (code === colon) {
      names++
    } else if (code === comma) {
      if (++values > mostValues) return tooManyValues
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepestNesting) return `The body must not nest deeper than ${deepestNesting} levels`
      if (++values > mostValues) return tooManyValues
    } else if (code === 0x7d || code === 0x5d) {
      depth--
    }
  }
  return names
}

const tooManyValues = `The body must not hold more than ${mostValues} values`

/** Where the string that opens at `open` closes, or -1. Each run of backslashes is read once, so the time is linear. */
const closingQuote = (text: string, open: number): number => {
  let close = text.indexOf('"', open + 1)
  while (close !== -1) {
    let before = close - 1
    while (before > open && text.charCodeAt(before) === backslash) before--
    if ((close - before) % 2 === 1) return close
    close = text.indexOf('"', close + 1)
  }
  return -1
}

interface Seen {
  names: number
  sound: boolean
  /** Only a \u escape can bring U+0000 or a lone surrogate past UTF-8 decoding and JSON.parse. */
  readonly escapes: boolean
}

const look = (value: unknown, seen: Seen): void => {
  if (typeof value === "string") {
    if (seen.escapes && !isStorable(value)) seen.sound = false
  } else if (typeof value === "number") {
    // JSON.parse reads 1e400 as Infinity, and no later copy of the body could spell that.
    if (!Number.isFinite(value)) seen.sound = false
  } else if (Array.isArray(value)) {
    for (const entry of value) look(entry, seen)
  } else if (typeof value === "object" && value !== null) {
    const names = Object.keys(value)
    seen.names += names.length
    for (const name of names) {
      if (seen.escapes && !isStorable(name)) seen.sound = false
      look((value as Record<string, unknown>)[name], seen)
    }
  }
}

/** The first value, or name, that cannot be kept, by its path. Only a body that has one is searched. */
const faultIn = (value: unknown, path: string): FieldError | undefined => {
  if (typeof value === "string") return isStorable(value) ? undefined : fault(path, unstorable)
  if (typeof value === "number") return Number.isFinite(value) ? undefined : fault(path, "must be a smaller number")
  if (typeof value !== "object" || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : memberPath(path, name)
    const found = isStorable(name) ? faultIn(member, place) : fault(place, unstorable)
    if (found !== undefined) return found
  }
  return undefined
}

const fault = (path: string, rule: string): FieldError =>
  invalid(path === "" ? "body" : path, `${path === "" ? "The body" : path} ${rule}`)

/** PostgreSQL refuses U+0000 in text, and a lone surrogate would silently become U+FFFD. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

const unstorable = "must not hold U+0000 or half of a surrogate pair, such as half of an emoji"

const positionIn = (error: unknown): string => {
  const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? "" : ` (see character ${position})`
}
