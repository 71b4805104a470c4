/**
 * The form of a URL that the service sends to (W13): the rules that need no look-up. Where a host name leads is judged when
 * the URL is saved, and again at every connection, in `reachable.ts`.
 */
import { domainToUnicode } from "node:url"
import { webhookLimits } from "./limits.ts"
import { isPublicAddress } from "./publicAddress.ts"

/** Parsing a URL removes the default port of https, so the empty port stands for 443. */
const ports = new Set(["", "8443"])

const { longestHostName, longestUrl } = webhookLimits

/** Domains reserved for this machine or a local network: RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN. */
const localDomains = ["localhost", "local", "internal", "home.arpa"]

export type UrlJudgement = { readonly url: string } | { readonly rule: string }

/** The URL as the service keeps it, or the rule that it breaks. `allowInsecure` permits http, any host and any port. */
export const judgeWebhookUrl = (text: string, { allowInsecure }: { readonly allowInsecure: boolean }): UrlJudgement => {
  if (text.length > longestUrl) return { rule: `must be at most ${longestUrl} characters` }
  const url = parse(text)
  if (url === null || (url.protocol === "http:" && !allowInsecure)) return { rule: noUrlRule(text, allowInsecure) }
  const rule = brokenAnywhere(text, url) ?? (allowInsecure ? undefined : brokenInPublic(url))
  return rule === undefined ? { url: url.href } : { rule }
}

/**
 * What is wrong with the form of a URL whatever is allowed. What text that is no URL at all must be depends on what is allowed:
 * `judgeWebhookUrl` says it.
 */
export const brokenInForm = (text: string): string | undefined => {
  const judged = judgeWebhookUrl(text, { allowInsecure: true })
  if ("url" in judged) return undefined
  const isNone = judged.rule === noUrlRule(text, true)
  return isNone && judged.rule !== noUrlRule(text, false) ? undefined : judged.rule
}

/** Text that begins as a URL and holds what no URL holds is told how to write it. */
const noUrlRule = (text: string, allowInsecure: boolean): string => {
  const begins = allowInsecure ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i
  if (begins.test(text) && /[^!-[\]-~]/.test(text)) {
    return "must be printable ASCII without spaces and backslashes; write an international domain in its xn-- form, and other characters percent-encoded"
  }
  return allowInsecure ? "must be an http or https URL" : "must be an https URL"
}

/** The parser drops line breaks, turns backslashes and accepts extra slashes. It gets only text that it does not change. */
const parse = (text: string): URL | null => (/^https?:\/\/(?!\/)[!-[\]-~]+$/i.test(text) ? URL.parse(text) : null)

const brokenAnywhere = (text: string, { href }: URL): string | undefined => {
  const authority = text.split(/[/?#]/, 3)[2] ?? ""
  // The text is searched, because the parser drops an empty user and an empty fragment.
  if (authority.includes("@") || text.includes("#")) return "must have no user, password or fragment"
  return href.length > longestUrl ? `must be at most ${longestUrl} characters` : undefined
}

const brokenInPublic = ({ hostname, port }: URL): string | undefined => {
  if (!ports.has(port)) return "must use port 443 or 8443"
  if (hostname.startsWith("[") || isNumeric(hostname)) {
    const isPublic = isPublicAddress(hostname.replace(/^\[|\]$/g, ""))
    return isPublic ? undefined : "must not have an address that is not on the public internet"
  }
  return isHostName(hostname) ? undefined : "must have a host name of the public internet"
}

/** The parser turns every spelling of an IPv4 address into four decimals. It refuses other names that end in a number. */
const isNumeric = (hostname: string): boolean => /^[0-9.]+$/.test(hostname)

const isHostName = (hostname: string): boolean => {
  const labels = hostname.split(".")
  return (
    hostname.length <= longestHostName &&
    labels.length > 1 &&
    labels.every(isLabel) &&
    !localDomains.some((domain) => hostname.endsWith(`.${domain}`) || hostname === domain)
  )
}

/** Letters, digits and inner hyphens. A label in Punycode must decode to something. */
const isLabel = (label: string): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) &&
  (!label.startsWith("xn--") || !domainToUnicode(label).startsWith("xn--"))
