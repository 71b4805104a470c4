/** How long ago something was, in the largest unit that says enough: for lists that people read. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Both in epoch milliseconds. */
export const ageText = (since: number, now: number): string => {
  const age = Math.max(0, now - since)
  if (age < hour) return `${Math.floor(age / minute)} min`
  if (age < 2 * day) return `${Math.floor(age / hour)} h`
  return `${Math.floor(age / day)} days`
}
