/**
 * The reasons why an attempt got no answer, as the delivery log and the mails say them. A failure of the service itself
 * counts neither against the endpoint nor against the schedule of its delivery.
 */
import { Schema } from "effect"

const theirs = (meaning: string) => ({ meaning, isOwn: false })
const ours = (meaning: string) => ({ meaning, isOwn: true })

export const failureClasses = {
  DNS_NOT_FOUND: theirs("The domain name system knows no address for the host."),
  DNS_FAILED: theirs("The name servers gave no answer for the host, though they did for others."),
  ADDRESS_NOT_PUBLIC: theirs("The host has an address that is not on the public internet: no connection was opened."),
  CONNECTION_REFUSED: theirs("Nothing accepts connections at the address and port."),
  CONNECTION_RESET: theirs("The connection was closed before there was an answer."),
  UNREACHABLE: theirs("The network knows no way to the address."),
  TLS_CERTIFICATE_EXPIRED: theirs("The certificate is out of date, or not valid yet."),
  TLS_CERTIFICATE_UNTRUSTED: theirs(
    "The certificate does not lead to a known authority: it is self-signed, or the chain is incomplete."
  ),
  TLS_WRONG_NAME: theirs("The certificate is for another host."),
  TLS_FAILED: theirs("No secure connection could be agreed on; TLS 1.2 is the least."),
  TIMEOUT: theirs("There was no answer in time."),
  BAD_RESPONSE: theirs("The answer is not HTTP, or its headers are too long."),
  SERVICE_FAILURE: ours(
    "The service could not make the attempt. It makes it again; nothing is held against the endpoint."
  )
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly isOwn: boolean }>>

export type FailureClass = keyof typeof failureClasses

export const FailureClass = Schema.Literals(Object.keys(failureClasses) as ReadonlyArray<FailureClass>).annotate({
  identifier: "FailureClass",
  description: Object.entries(failureClasses)
    .map(([name, { meaning }]) => `${name}: ${meaning}`)
    .join("\n")
})
