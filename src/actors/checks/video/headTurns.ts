/**
 * The challenge in a handover video: which turns of the head are asked for, and which ones the frames of a video show. Pure: this
 * file sees how far the head is turned in each frame, never a picture. `videoVerdict.ts` says what follows from an outcome.
 *
 * How far a head is turned is the distance of the tip of the nose from the middle of the eyes, along the line of the eyes, in widths
 * between them: about -0.3 at a clear turn to the right, 0 straight ahead, 0.3 to the left. Left and right are the customer's, in a
 * picture that is not mirrored, as browsers and telephones record it. A mirrored recording shows each turn as the other one.
 * So a person looks at such a recording, as at everything that is not seen clearly.
 */
import type { HeadTurn, TurnsOutcome } from "../../../schema/media/headTurns.ts"
import { challengeLimits } from "../limits.ts"

const { farthestAhead, leastTurned, turns } = challengeLimits

/** Each random digit of a random UUID (version 4) decides a turn. */
export const drawnTurns = (random: string): ReadonlyArray<HeadTurn> =>
  Array.from(random.slice(0, turns), (digit) => (Number.parseInt(digit, 16) % 2 === 0 ? "LEFT" : "RIGHT"))

export interface Look {
  /** Null: no single clear face. */
  readonly turned: number | null
}

export interface SeenTurn {
  readonly turn: HeadTurn
  /** The places of its looks: where it was begun, and where the head is turned farthest. */
  readonly begun: number
  readonly farthest: number
}

const sideOf = (turned: number): HeadTurn | "AHEAD" | null => {
  if (Math.abs(turned) <= farthestAhead) return "AHEAD"
  if (Math.abs(turned) < leastTurned) return null
  return turned > 0 ? "LEFT" : "RIGHT"
}

/**
 * The turns of a head that looked ahead before. A head that is turned and then turned to the other side went through the middle
 * between two looks. What a look does not show has not happened.
 */
export const turnsSeen = (looks: ReadonlyArray<Look>): ReadonlyArray<SeenTurn> => {
  const seen: Array<SeenTurn> = []
  let side: HeadTurn | "AHEAD" | null = null
  for (const [at, { turned }] of looks.entries()) {
    const now = turned === null ? null : sideOf(turned)
    if (now === null) continue
    const last = seen.at(-1)
    if (now === side && now === last?.turn) {
      if (Math.abs(turned ?? 0) > Math.abs(looks[last.farthest]?.turned ?? 0))
        seen[seen.length - 1] = { ...last, farthest: at }
    } else if (now !== "AHEAD" && side !== null && now !== side) seen.push({ turn: now, begun: at, farthest: at })
    // A head that was never seen ahead may have been turned before the video began.
    if (now === "AHEAD" || side !== null) side = now
  }
  return seen
}

/** What the first turns say; what a customer does after them is not asked. */
export const outcomeOfTurns = (asked: ReadonlyArray<HeadTurn>, seen: ReadonlyArray<SeenTurn>): TurnsOutcome => {
  if (asked.length === 0) return "NOT_SEEN"
  if (asked.some((turn, at) => seen[at] !== undefined && seen[at].turn !== turn)) return "OTHERS"
  return seen.length >= asked.length ? "MET" : "NOT_SEEN"
}

/**
 * The places of the looks straight ahead between the first and the last of the asked turns, the straightest first: there the face that
 * turns is compared with the reference, so that nobody turns in the customer's place.
 */
export const looksBetween = (
  looks: ReadonlyArray<Look>,
  seen: ReadonlyArray<SeenTurn>,
  asked: number
): ReadonlyArray<number> => {
  const [first, last] = [seen[0], seen[asked - 1]]
  if (first === undefined || last === undefined) return []
  const turnedAt = (at: number) => Math.abs(looks[at]?.turned ?? Number.POSITIVE_INFINITY)
  return Array.from({ length: last.begun - first.begun }, (_, place) => first.begun + place)
    .filter((at) => turnedAt(at) <= farthestAhead)
    .toSorted((one, other) => turnedAt(one) - turnedAt(other))
    .slice(0, challengeLimits.mostCompared)
}
