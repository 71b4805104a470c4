/** What a mail says, in plain letters: its subject, and its text, out of the encodings of RFC 2047 and RFC 2045. */
import type { ReceivedMail } from "./mailServer.ts"

const quoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1"
  )

/** The white space between two encoded words is no part of the subject. */
export const subjectOf = ({ header }: ReceivedMail): string =>
  (header("Subject") ?? "")
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, way: string, text: string) =>
      (way.toUpperCase() === "Q" ? quoted(text.replaceAll("_", " ")) : Buffer.from(text, "base64")).toString("latin1")
    )
    .replaceAll(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, "latin1").toString("utf8"))

/** The first part of text/plain. */
export const plainTextOf = ({ raw }: ReceivedMail): string => {
  const [, head = "", body = ""] = /(Content-Type: text\/plain[^]*?)\r\n\r\n([^]*?)\r\n--/i.exec(raw) ?? []
  return (/base64/i.test(head) ? Buffer.from(body, "base64") : quoted(body.replaceAll("=\r\n", ""))).toString("utf8")
}
