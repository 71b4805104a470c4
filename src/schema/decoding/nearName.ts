/**
 * Finds the name that somebody has probably meant by a name that nobody knows: a member of a body, a setting. It looks at names only, and never
 * at a value.
 */
import { jsonLimits } from "./limits.ts"

/** How a name reads in another program's way of writing: `first_name` and `first-name` are `firstName`. */
const bareOf = (name: string): string => name.replaceAll(/[-_ ]/g, "").toUpperCase()

/** The known name that is written almost like `name`, or undefined. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > jsonLimits.longestNameShown) return undefined
  const bare = bareOf(name)
  return (
    known.find((one) => bareOf(one) === bare) ??
    known.find((one) => one.length >= jsonLimits.shortestNameGuessed && isNear(bare, bareOf(one)))
  )
}

/**
 * Whether `a` becomes `b` when one letter is added, dropped, changed or swapped with its neighbour. Case does not
 * count.
 */
export const isNear = (a: string, b: string): boolean => {
  const [left, right] = [a.toUpperCase(), b.toUpperCase()]
  if (Math.abs(left.length - right.length) > 1) return false
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  const after = (text: string, from: number) => text.slice(same + from)
  return (
    after(left, 1) === after(right, 1) ||
    after(left, 1) === after(right, 0) ||
    after(left, 0) === after(right, 1) ||
    (left[same] === right[same + 1] && left[same + 1] === right[same] && after(left, 2) === after(right, 2))
  )
}
