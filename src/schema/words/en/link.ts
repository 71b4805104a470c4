/** The page behind the link in a mail, before the customer signs in, in English. */

export const englishLink = {
  heading: "Welcome",
  forYou: "This link is for you alone.",
  button: "Continue",
  once: "It signs you in once, on this device."
}

export type LinkWords = typeof englishLink
