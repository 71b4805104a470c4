/**
 * The ways to reach the customer: the email address, to which sign-in links go, and the mobile number. Both are judged
 * by their form and kept as they were sent. Nothing here changes upper and lower case, because addresses that only look
 * alike must stay different.
 */
import { startFieldLimits } from "./limits.ts"
import { formattedText } from "../decoding/text.ts"

const { longestEmail, longestLocalPart } = startFieldLimits

/**
 * One address in plain ASCII, without a display name and without quotes. Each alternative of the pattern begins with a
 * character that the one before it cannot take, so a mismatch is found in linear time.
 */
const address =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:-*[A-Za-z0-9])*\.)+[A-Za-z0-9](?:-*[A-Za-z0-9])*$/

/** A DNS label holds at most 63 characters. */
const longLabel = /[A-Za-z0-9-]{64}/

const judgeEmail = (value: string): string | undefined => {
  if (value.length > longestEmail) return `must be at most ${longestEmail} characters`
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  if (/[^\x00-\x7f]/.test(value)) return "must be ASCII; write an international domain in its xn-- form"
  const at = value.indexOf("@")
  return address.test(value) && at <= longestLocalPart && !longLabel.test(value.slice(at)) && !/\.[0-9]+$/.test(value)
    ? undefined
    : "must be a valid email address, without a display name"
}

export const EmailAddress = formattedText(longestEmail, judgeEmail, { format: "email" }).annotate({
  title: "Email address",
  description:
    "ASCII, one address, no display name. Kept as sent; two addresses that differ in case only are one customer."
})

const mobile = /^[0-9 +()-]{10,20}$/

export const Mobile = formattedText(
  20,
  (value) => (mobile.test(value) ? undefined : "must be 10 to 20 characters: digits, spaces, + - ( )"),
  { minLength: 10, pattern: mobile.source }
).annotate({ title: "Mobile number", description: "10 to 20 characters: digits, spaces, + - ( )" })
