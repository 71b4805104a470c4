/** The page behind the link in a mail, before the customer signs in, in Polish. */
import type { LinkWords } from "../en/link.ts"

export const polishLink: LinkWords = {
  heading: "Witamy",
  forYou: "Ten link jest przeznaczony tylko dla Państwa.",
  button: "Dalej",
  once: "Pozwala zalogować się raz, na tym urządzeniu."
}
