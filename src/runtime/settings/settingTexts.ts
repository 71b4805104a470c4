/**
 * How the texts of environment variables become values: one function for each kind of text. `undefined` when the text breaks the
 * rule. Which variable takes which text is said in `environment.ts`.
 */
import * as Duration from "effect/Duration"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

export const hostName = /^[A-Za-z0-9._:-]{1,253}$/

export const urlOf = (...protocols: ReadonlyArray<string>) => {
  return (text: string): string | undefined => {
    const url = URL.parse(text)
    return url !== null && protocols.includes(url.protocol) ? text : undefined
  }
}

export const secret = <A>(parse: (text: string) => A | undefined) => {
  return (text: string): Redacted.Redacted<A> | undefined => {
    const value = parse(text)
    return value === undefined ? undefined : Redacted.make(value)
  }
}

export const wholeNumberFrom = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

export const duration =
  (longest: Duration.Duration) =>
  (text: string): Duration.Duration | undefined => {
    // The parser takes any text, though its type asks for a template.
    const value = Option.getOrUndefined(Duration.fromInput(text as Duration.Input))
    if (value === undefined || Duration.isLessThan(value, Duration.millis(1))) return undefined
    return Duration.isGreaterThan(value, longest) ? undefined : value
  }

export const hostAndPort = (text: string): { readonly host: string; readonly port: number } | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = wholeNumberFrom(1, 65_535)(match?.[3] ?? "")
  return host === undefined || port === undefined ? undefined : { host, port }
}

/** Without a path: links and forms of the pages begin at the root of their host, so behind a prefix each would lead elsewhere. */
export const publicAddress = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined
  if (url.username !== "" || url.password !== "" || url.pathname !== "/" || /[?#]/.test(text)) return undefined
  return url.origin
}

/**
 * Options in the query of the URL would be dropped in silence, so a URL with a query is refused. User and password must
 * decode.
 */
export const mailServer = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return undefined
  if (!["", "/"].includes(url.pathname) || /[?#]/.test(text)) return undefined
  if (!isDecodable(url.username) || !isDecodable(url.password)) return undefined
  return url.username === "" && url.password !== "" ? undefined : text
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** What `strongToken` asks for. */
export const strongTokenRule = "32 to 200 characters of letters, digits and - . _ ~ + / =, at least 8 of them different"

/** A token that is short, or made of a few characters again and again, can be guessed. */
export const strongToken = (text: string): string | undefined =>
  /^[A-Za-z0-9._~+/=-]{32,200}$/.test(text) && new Set(text).size >= 8 ? text : undefined

/**
 * Strict base64. `Buffer.from` alone skips characters that it does not know, and a mistyped key would pass as another
 * key.
 */
export const keyOfBytes =
  (count: number) =>
  (text: string): Uint8Array | undefined => {
    const bytes = Buffer.from(text, "base64")
    return bytes.length === count && bytes.toString("base64") === text ? new Uint8Array(bytes) : undefined
  }

/** Keys of one length with commas between them, none of them twice. */
export const keysOfBytes =
  (count: number, most: number) =>
  (text: string): ReadonlyArray<Uint8Array> | undefined => {
    const texts = text.split(",").map((one) => one.trim())
    const keys = texts.flatMap((one) => keyOfBytes(count)(one) ?? [])
    const isWhole = keys.length === texts.length && keys.length <= most && new Set(texts).size === keys.length
    return isWhole ? keys : undefined
  }

/** One secret, or the new one and the old one while it changes; each as strong as a token. */
export const clusterSecrets = (text: string): ReadonlyArray<string> | undefined => {
  const secrets = text.split(",")
  return secrets.length <= 2 && secrets.every((one) => strongToken(one) !== undefined) ? secrets : undefined
}

export const logLevels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}
