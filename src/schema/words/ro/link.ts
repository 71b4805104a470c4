/** The page behind the link in a mail, before the customer signs in, in Romanian. */
import type { LinkWords } from "../en/link.ts"

export const romanianLink: LinkWords = {
  heading: "Bun venit",
  forYou: "Acest link este numai pentru dumneavoastră.",
  button: "Continuați",
  once: "Vă conectează o singură dată, pe acest dispozitiv."
}
