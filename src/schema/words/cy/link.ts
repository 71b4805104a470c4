/** The page behind the link in a mail, before the customer signs in, in Welsh. */
import type { LinkWords } from "../en/link.ts"

export const welshLink: LinkWords = {
  heading: "Croeso",
  forYou: "I chi yn unig y mae'r ddolen hon.",
  button: "Parhau",
  once: "Mae'n eich mewngofnodi unwaith, ar y ddyfais hon."
}
