/**
 * Places 68 landmarks on a face: jaw, brows, nose, eyes and mouth, each at its own index. The network places landmarks
 * on anything, so this file also measures how far they waver when the same face is shown differently. The weights are
 * those that @vladmandic/face-api ships (MIT).
 */
import * as tf from "@tensorflow/tfjs-core"
import type { Box } from "./faceDetector.ts"
import { convolve, type Layer } from "./faceLayers.ts"
import { readWeights, type Weights } from "./faceModels.ts"
import { cutSquare, type Raster, type Square } from "./faceSquare.ts"

/** The size the network was trained at, in pixels. */
const inputSide = 112

/** The mean colour of the training of this network and of the one in `faceEmbedding.ts`. */
const meanColour = [122.782, 117.001, 104.298]

export interface Landmarks {
  /**
   * How far the face's features move when the picture is mirrored and taken from further away, in widths of the eyes.
   */
  readonly wavering: (photo: Raster, box: Box) => Promise<number>
  /**
   * How far the face is turned: where the tip of the nose stands beside the middle of the eyes, to the right in the picture, in widths
   * between the eyes, and along their line, so that a tilted head is not taken for a turned one.
   */
  readonly turned: (photo: Raster, box: Box) => Promise<number>
  /**
   * The square around the face in which the eyes are level and their distance to the mouth is 0.45 of the side. The network of
   * `faceEmbedding.ts` was trained on such squares.
   */
  readonly straightened: (photo: Raster, box: Box) => Promise<Square>
  /** The same by the landmarks of the picture and of its mirror image together, so that a mirrored picture has the mirrored square. */
  readonly straightenedEvenly: (photo: Raster, box: Box) => Promise<Square>
}

export const loadLandmarks = async (): Promise<Landmarks> => {
  const place = network(await readWeights("face_landmark_68_model"))
  /** The coordinates x and y in turn, in parts of the square. */
  const run = async (cut: Float32Array): Promise<Float32Array> => {
    const output = tf.tidy(() => place(colourTensor(cut, inputSide)))
    try {
      return Float32Array.from(await output.data())
    } finally {
      output.dispose()
    }
  }
  return {
    wavering: async (photo, box) => {
      const square = squareAround(box)
      const cut = cutSquare(photo, square, inputSide)
      const further = cutSquare(photo, { ...square, side: square.side * stepBack }, inputSide)
      const seen = await run(cut)
      const eyes = apart(seen, leftEyeCorner, seen, rightEyeCorner)
      return (
        (meanMove(seen, mirrored(await run(mirroredCut(cut)))) + meanMove(seen, broughtBack(await run(further)))) / eyes
      )
    },
    turned: async (photo, box) => turnedIn(await run(cutSquare(photo, squareAround(box), inputSide))),
    straightened: async (photo, box) => {
      const around = squareAround(box)
      return straightenedIn(await run(cutSquare(photo, around, inputSide)), around)
    },
    straightenedEvenly: async (photo, box) => {
      const around = squareAround(box)
      const cut = cutSquare(photo, around, inputSide)
      const [seen, inMirror] = [await run(cut), mirrored(await run(mirroredCut(cut)))]
      return straightenedIn(
        seen.map((part, at) => (part + inMirror[at]!) / 2),
        around
      )
    }
  }
}

const tipOfNose = 30
/** The outlines of the eyes, from first to last, as they lie in the picture. */
const eyes = { left: [36, 41], right: [42, 47] } as const

const middleOf = (points: Float32Array, [first, last]: readonly [number, number]): readonly [number, number] => {
  let [x, y] = [0, 0]
  for (let point = first; point <= last; point++) {
    x += points[point * 2]!
    y += points[point * 2 + 1]!
  }
  const count = last - first + 1
  return [x / count, y / count]
}

const turnedIn = (points: Float32Array): number => {
  const [left, right] = [middleOf(points, eyes.left), middleOf(points, eyes.right)]
  const [across, down] = [right[0] - left[0], right[1] - left[1]]
  const noseAcross = points[tipOfNose * 2]! - (left[0] + right[0]) / 2
  const noseDown = points[tipOfNose * 2 + 1]! - (left[1] + right[1]) / 2
  return (noseAcross * across + noseDown * down) / (across * across + down * down)
}

/** Colours in the form that the networks take. */
export const colourTensor = (cut: Float32Array, side: number): tf.Tensor4D =>
  tf.div(tf.sub(tf.tensor4d(cut, [1, side, side, 3]), meanColour), 255)

export const squareAround = ({ height, width, x, y }: Box): Square => ({
  centreX: x + width / 2,
  centreY: y + height / 2,
  side: Math.max(width, height),
  angle: 0
})

/** The square that is taken from further away is this many times larger. */
const stepBack = 1.25

const leftEyeCorner = 36
const rightEyeCorner = 45

/** The first landmark after the jaw. The 17 points of the jaw lie on no visible edge. */
const firstFeature = 17
const pointCount = 68

/** The runs of landmarks that mirror into themselves, from first to last, and the pairs that trade places. */
const mirroredRuns = [
  [0, 16],
  [17, 26],
  [31, 35],
  [48, 54],
  [55, 59],
  [60, 64],
  [65, 67]
] as const
const mirroredPairs = [
  [36, 45],
  [37, 44],
  [38, 43],
  [39, 42],
  [40, 47],
  [41, 46]
] as const

/** Gives the landmark of the mirrored face for each landmark. The bridge of the nose stays. */
const counterparts: ReadonlyArray<number> = (() => {
  const points = Array.from({ length: pointCount }, (_, point) => point)
  for (const [first, last] of mirroredRuns) {
    for (let point = first; point <= last; point++) points[point] = first + last - point
  }
  for (const [left, right] of mirroredPairs) {
    points[left] = right
    points[right] = left
  }
  return points
})()

const mirrored = (points: Float32Array): Float32Array =>
  points.map((_, at) => {
    const counterpart = counterparts[at >> 1]! * 2
    return at % 2 === 0 ? 1 - points[counterpart]! : points[counterpart + 1]!
  })

const broughtBack = (points: Float32Array): Float32Array => points.map((part) => (part - 0.5) * stepBack + 0.5)

const mirroredCut = (cut: Float32Array): Float32Array =>
  cut.map((_, at) => {
    const pixel = Math.floor(at / 3)
    const column = pixel % inputSide
    return cut[(pixel - column + inputSide - 1 - column) * 3 + (at % 3)]!
  })

const apart = (a: Float32Array, point: number, b: Float32Array, other: number): number =>
  Math.hypot(a[point * 2]! - b[other * 2]!, a[point * 2 + 1]! - b[other * 2 + 1]!)

const meanMove = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let point = firstFeature; point < pointCount; point++) sum += apart(a, point, b, point)
  return sum / (pointCount - firstFeature)
}

/** 68 points: x and y in turn, in parts of the square. */
const network = (weights: Weights): ((face: tf.Tensor4D) => tf.Tensor2D) => {
  const first: Layer = { filters: weights("dense0/conv0/filters", 4), bias: weights("dense0/conv0/bias", 1) }
  const separable = (name: string): { readonly depthwise: tf.Tensor4D; readonly pointwise: Layer } => ({
    depthwise: weights(`${name}/depthwise_filter`, 4),
    pointwise: { filters: weights(`${name}/pointwise_filter`, 4), bias: weights(`${name}/bias`, 1) }
  })
  const blocks = ["dense0", "dense1", "dense2", "dense3"].map((block) => ({
    halving: block === "dense0" ? null : separable(`${block}/conv0`),
    growing: ["conv1", "conv2", "conv3"].map((layer) => separable(`${block}/${layer}`))
  }))
  const last = { weights: weights("fc/weights", 2), bias: weights("fc/bias", 1) }

  const separately = (
    input: tf.Tensor4D,
    { depthwise, pointwise }: ReturnType<typeof separable>,
    stride: 1 | 2,
    activation: "linear" | "relu"
  ) => convolve(tf.depthwiseConv2d(input, depthwise, stride, "same"), pointwise, 1, "same", activation)

  return (face) => {
    let features = face
    for (const { growing, halving } of blocks) {
      // Each further layer reads the sum of all layers before it.
      let sum =
        halving === null ? convolve(features, first, 2, "same", "relu") : separately(features, halving, 2, "relu")
      features = sum
      for (const layer of growing) {
        sum = tf.add(sum, separately(features, layer, 1, "linear"))
        features = tf.relu(sum)
      }
    }
    const pooled = tf.reshape<tf.Rank.R2>(tf.avgPool(features, 7, 2, "valid"), [1, -1])
    return tf.add(tf.matMul(pooled, last.weights), last.bias)
  }
}

/** The indexes of the eyes and the mouth among the 68 landmarks. */
const leftEye = [36, 42] as const
const rightEye = [42, 48] as const
const mouth = [48, 68] as const

const straightenedIn = (points: Float32Array, from: Square): Square => {
  const centre = ([first, end]: readonly [number, number]) => {
    let x = 0
    let y = 0
    for (let point = first; point < end; point++) {
      x += points[point * 2]!
      y += points[point * 2 + 1]!
    }
    const count = end - first
    return {
      x: from.centreX + (x / count - 0.5) * from.side,
      y: from.centreY + (y / count - 0.5) * from.side
    }
  }
  const left = centre(leftEye)
  const right = centre(rightEye)
  const lips = centre(mouth)
  const side =
    (Math.hypot(lips.x - left.x, lips.y - left.y) + Math.hypot(lips.x - right.x, lips.y - right.y)) / 2 / 0.45
  const angle = Math.atan2(right.y - left.y, right.x - left.x)
  // The middle of eyes and mouth lies at 0.43 of the height, so the centre is 0.07 further down along the face.
  const down = 0.07 * side
  return {
    centreX: (left.x + right.x + lips.x) / 3 - Math.sin(angle) * down,
    centreY: (left.y + right.y + lips.y) / 3 + Math.cos(angle) * down,
    side,
    angle
  }
}
