/**
 * The form of a URL that the service sends to (W13): what can be said of it without looking anything up. Where a host's
 * name leads is judged when the URL is saved and again at every connection.
 */
import { domainToUnicode } from "node:url"
import { webhookLimits } from "./limits.ts"
import { isPublicAddress } from "./publicAddress.ts"

/** The default port of https is left out when a URL is parsed. */
const ports = new Set(["", "8443"])

const { longestHostName, longestUrl } = webhookLimits

/** Reserved for this machine or a local network: RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN. */
const localDomains = ["localhost", "local", "internal", "home.arpa"]

export type UrlJudgement = { readonly url: string } | { readonly rule: string }

/** The URL as the service keeps it, or what is wrong with it. `allowInsecure`: plain http, any host and any port. */
export const judgeWebhookUrl = (text: string, { allowInsecure }: { readonly allowInsecure: boolean }): UrlJudgement => {
  if (text.length > longestUrl) return { rule: `must be at most ${longestUrl} characters` }
  const url = parse(text)
  if (url === null || (url.protocol === "http:" && !allowInsecure)) return { rule: "must be an https URL" }
  const rule = brokenAnywhere(text, url) ?? (allowInsecure ? undefined : brokenInPublic(url))
  return rule === undefined ? { url: url.href } : { rule }
}

/** The parser drops line breaks, turns backslashes and counts slashes generously: it gets only what it would not change. */
const parse = (text: string): URL | null => (/^https?:\/\/(?!\/)[!-[\]-~]+$/i.test(text) ? URL.parse(text) : null)

const brokenAnywhere = (text: string, { href }: URL): string | undefined => {
  const authority = text.split(/[/?#]/, 3)[2] ?? ""
  // Looked for in the text: the parser forgets an empty user and keeps no trace of an empty fragment.
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

/** The parser turns every spelling of an IPv4 address into four decimals, and refuses other names that end in a number. */
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

/** Letters, digits and inner hyphens; a label in Punycode must be one that means something. */
const isLabel = (label: string): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) &&
  (!label.startsWith("xn--") || !domainToUnicode(label).startsWith("xn--"))
