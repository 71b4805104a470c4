/** Going on by telephone, with a QR code on a wide screen, in English. */
import { englishPlural } from "../locale/plural.ts"

export const englishTelephone = {
  offer: "Go on by telephone",
  heading: "Go on by telephone",
  scan: "A telephone has the better camera. Point its camera at this code and open the link that it shows.",
  code: "QR code with your link",
  once: ({ minutes }: { readonly minutes: number }) =>
    `The code works once, for ${englishPlural(minutes, { one: "one minute", other: `${minutes} minutes` })}. It replaces the link in our last email for this step.`,
  goesOn: "This page follows by itself.",
  tooMany: "Too many codes",
  wait: "Please wait an hour, or go on here."
}

export type TelephoneWords = typeof englishTelephone
