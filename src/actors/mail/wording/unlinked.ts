/**
 * Names in mail that no mail program turns into a link. What reads as a link or an address is refused where a name comes in
 * (`schema/start/nameText.ts`); a bare host name such as that of "Cars.example Ltd" is a name, and so are those of older rows. They are
 * shown with a character that draws nothing before each sign that would make a link (decision M9).
 */
import { oneLine } from "./Email.ts"

/** U+200C draws nothing, and ends a word for whatever looks for links. */
const breaking = "\u200c"

/** Browsers take the full stops of other widths and scripts for dots of a host name, too. */
const beforeHost = /(?<=\S)(?:[.\u2024\u3002\uff0e\uff61:/\\]+(?=[\p{L}\p{N}]{2})|@+(?=[\p{L}\p{N}]))/gu

export const unlinked = (name: string): string => oneLine(name).replaceAll(beforeHost, `${breaking}$&`)
