/**
 * Names in mail that no mail program turns into a link. What reads as a link or an address is refused where a name comes in
 * (`schema/start/nameText.ts`); a bare host name such as that of "Cars.example Ltd" is a name, and so are those of older rows. They are
 * shown with a character that draws nothing before each sign that would make a link, and behind each digit of what could be a
 * telephone number (decision M9).
 */
import { linkProblem } from "../../../schema/start/nameText.ts"
import { oneLine } from "./Email.ts"

/** U+200C draws nothing, and ends a word for whatever looks for links. */
const breaking = "\u200c"

/** Browsers take the full stops of other widths and scripts for dots of a host name, too. */
const dots = String.raw`.\u2024\u3002\uff0e\uff61`

const beforeHost = new RegExp(
  String.raw`(?<=\S)(?:[${dots}:/\\]+(?=[\p{L}\p{N}]{2})|@+(?=[\p{L}\p{N}]))|(?<=\p{N})[${dots}]+(?=\p{N})`,
  "gu"
)

/** The shortest telephone numbers have seven digits, and signs between them that programs which look for numbers pass over. */
const telephone = new RegExp(String.raw`\p{Nd}(?:[\p{Zs}\p{Pd}\p{Cf}${dots}()\[\]/~\u2212\u30fc]*\p{Nd}){6,}`, "gu")

const broken = (number: string): string => number.replaceAll(/\p{Nd}(?!$)/gu, `$&${breaking}`)

export const unlinked = (name: string): string =>
  oneLine(name).replaceAll(telephone, broken).replaceAll(beforeHost, `${breaking}$&`)

const host = /[\p{L}\p{N}]\.\p{L}{2,}/u

/** A text that people copy out of a mail, such as a reference: it stays as it is unless it reads as a link. */
export const unlinkedIfLink = (text: string): string =>
  host.test(text) || linkProblem(text) !== undefined ? unlinked(text) : oneLine(text)
