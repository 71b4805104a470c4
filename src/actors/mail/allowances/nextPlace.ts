/** When an address that has had its mails of the hour, or of the day, may get the next one (decision M9). Pure. */
import { Duration } from "effect"
import { mailLimits } from "../limits.ts"

const { mostToAddress } = mailLimits

/** `counted`: when the mails that count left, in any order. A time that is not later than `now` means: at once. */
export const nextPlace = (counted: ReadonlyArray<number>): number => {
  const newestFirst = counted.toSorted((one, other) => other - one)
  const free = mostToAddress.map(({ mails, within }) => {
    // The place of this mail is free once it is older than the time in which it counts.
    const holder = newestFirst[mails - 1]
    return holder === undefined ? 0 : holder + Duration.toMillis(within)
  })
  return Math.max(...free)
}
