/** Pictures of two known faces at places that chance chooses, one in each half of the picture, the same in every run. */
import { chance, laidOnGrey, type Picture } from "../runtime/faces/pictures.ts"
import { photoOf } from "./alteredFaces.ts"
import { knownFaces } from "./knownFaces.ts"

/** In pixels. */
const faceHeight = 200
/** The height of what is cut out, in heights of its face. */
const cutTimes = 1.6

export interface PairOfFaces {
  readonly picture: Picture
  /** Where the two cut-out squares lie, in pixels. */
  readonly cuts: readonly [Cut, Cut]
}

interface Cut {
  readonly left: number
  readonly top: number
  readonly side: number
}

/** So many pictures in which each face is as high as this part of the picture's width. */
export const pairsOfFaces = async (part: number, count: number): Promise<ReadonlyArray<PairOfFaces>> => {
  const next = chance(Math.round(part * 1000))
  const width = Math.round(faceHeight / part)
  const oneOf = () => knownFaces[Math.floor(next() * knownFaces.length)]!
  const pairs: Array<PairOfFaces> = []
  for (let pair = 0; pair < count; pair++) {
    const height = Math.max(cutTimes * faceHeight, Math.round(width * (0.5 + next() * 0.3)))
    const laid = async (from: number) => {
      const picture = await photoOf(oneOf(), { times: cutTimes, faceHeight })
      const left = Math.floor(from + next() * (width / 2 - picture.width))
      return { picture, left, top: Math.floor(next() * (height - picture.height)) }
    }
    const [one, other] = [await laid(0), await laid(width / 2)]
    const cutOf = ({ left, picture, top }: typeof one): Cut => ({ left, top, side: picture.width })
    pairs.push({ picture: laidOnGrey(width, height, one, other), cuts: [cutOf(one), cutOf(other)] })
  }
  return pairs
}
