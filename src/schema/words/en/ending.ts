/** The end of a journey: the page and the receipt of a complete handover, and how a closed journey ended. In English. */
import { englishPlural } from "../locale/plural.ts"

export const englishEnding = {
  heading: "Your handover is complete",
  taken: "You have taken over your vehicle. There is nothing more to do.",
  receipt: "Receipt of your handover",
  vehicle: "Vehicle",
  seller: "Seller",
  arrangedBy: "Arranged by",
  when: "Handed over",
  where: "Where",
  atTheSeller: "At the seller's place of business",
  reference: "Reference",
  save: "Save this receipt",
  print: "You can also print this page. You can see it for as long as you are signed in.",
  kept: ({ days }: { readonly days: number }) =>
    `Photos and videos are deleted at the latest ${englishPlural(days, { one: "one day", other: `${days} days` })} after the purchase has ended.`,
  yourData: ({ company }: { readonly company: string }) =>
    `If you want a copy of your data, or want it corrected or erased, ask ${company}.`,
  /** Who only holds a link reads ENDED of every cancellation; its signed-in customer reads FINANCE or CANCELLED. */
  closed: {
    COMPLETED: "The handover is complete. There is nothing more to do.",
    CANCELLED: ({ company }: { readonly company: string }) =>
      `It was cancelled by ${company} or by a business that works with them. There is nothing more for you to do.`,
    ENDED: ({ company }: { readonly company: string }) =>
      `It ended before the handover was complete, and there is nothing more for you to do here. ${company} can tell you more.`,
    FINANCE: ({ company }: { readonly company: string }) =>
      `There is news about your finance application. ${company} can tell you what it means for you and what happens next.`,
    EXPIRED: ({ company }: { readonly company: string }) =>
      `It was not finished in time, so it has ended. ${company} can tell you how to go on.`
  }
}

export type EndingWords = typeof englishEnding
