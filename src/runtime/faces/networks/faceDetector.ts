/**
 * Finds faces in a photo with the single-shot detector (SSD on MobileNet v1) whose weights @vladmandic/face-api ships
 * (MIT). It says where something like a face is and how sure the network is. faceJudgement.ts decides whether that is
 * good enough for a customer photo.
 */
import * as tf from "@tensorflow/tfjs-core"
import { convolve, convolveDepthwise, type Layer } from "./faceLayers.ts"
import { readWeights, type Weights } from "./faceModels.ts"
import { cutSquare, type Raster, type Square } from "./faceSquare.ts"
import {
  clearScore,
  leastScore,
  lookSides,
  trainedSide,
  usualLooks,
  type DetectorLooks,
  type LookSide
} from "./faceThresholds.ts"
import { photoLimits } from "../limits.ts"

/** A box in pixels of the photo. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Detection {
  readonly box: Box
  /** How sure the network is that this is a face, 0 to 1. */
  readonly score: number
}

/** Two boxes that share more than this part of the smaller box are the same face, found twice. */
const sameFaceOverlap = 0.5

/** The faces in a photo, each once, found by looking as `looks` says. */
export type Detector = (photo: Raster, looks?: DetectorLooks) => Promise<ReadonlyArray<Detection>>

export const loadDetector = async (): Promise<Detector> => {
  const find = network(await readWeights("ssd_mobilenetv1_model"))
  const look = async (photo: Raster, side: LookSide): Promise<ReadonlyArray<Detection>> => {
    const longer = Math.max(photo.width, photo.height)
    const view = { centreX: photo.width / 2, centreY: photo.height / 2, side: longer, angle: 0 }
    const { boxes, scores } = tf.tidy(() => find(tf.tensor4d(cutSquare(photo, view, side), [1, side, side, 3]), side))
    try {
      const [edges, certainties] = await Promise.all([boxes.data(), scores.data()])
      return detectionsOf(edges, certainties).map(({ box, score }) => ({ box: inPhoto(box, view, photo), score }))
    } finally {
      tf.dispose([boxes, scores])
    }
  }
  return async (photo, { enoughPart, first, more } = usualLooks) => {
    const found: Array<Detection> = []
    const enough = Math.max(photo.width, photo.height) * enoughPart
    const isEnough = ({ box, score }: Detection) => score >= clearScore && box.height >= enough
    for (const side of first) found.push(...(await look(photo, side)))
    for (const side of more) {
      if (!found.some(isEnough)) found.push(...(await look(photo, side)))
    }
    return oneForEachFace(found.filter(({ box }) => box.width > 0 && box.height > 0))
  }
}

/** The boxes of which the network is sure enough, in parts of the square: top, left, bottom, right. */
const detectionsOf = (edges: ArrayLike<number>, scores: ArrayLike<number>): ReadonlyArray<Detection> => {
  const detections: Array<Detection> = []
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index]!
    if (!(score >= leastScore)) continue
    const [y, x] = [edges[index * 4]!, edges[index * 4 + 1]!]
    detections.push({ box: { x, y, width: edges[index * 4 + 3]! - x, height: edges[index * 4 + 2]! - y }, score })
  }
  return detections
}

/** The box in pixels of the photo, cut at the edges of the photo. */
const inPhoto = (box: Box, view: Square, photo: Raster): Box => {
  const left = view.centreX + (box.x - 0.5) * view.side
  const top = view.centreY + (box.y - 0.5) * view.side
  const x = Math.max(0, left)
  const y = Math.max(0, top)
  return {
    x,
    y,
    width: Math.min(photo.width, left + box.width * view.side) - x,
    height: Math.min(photo.height, top + box.height * view.side) - y
  }
}

/** Of boxes that lie on one another, the one of which the network is surest. */
const oneForEachFace = (found: ReadonlyArray<Detection>): ReadonlyArray<Detection> => {
  const kept: Array<Detection> = []
  for (const detection of found.toSorted((a, b) => b.score - a.score)) {
    if (kept.length === photoLimits.mostFaces) break
    if (kept.every((other) => overlap(detection.box, other.box) <= sameFaceOverlap)) kept.push(detection)
  }
  return kept
}

const overlap = (a: Box, b: Box): number => {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return (Math.max(0, wide) * Math.max(0, high)) / Math.min(a.width * a.height, b.width * b.height)
}

/** The layers of MobileNet that halve the picture. */
const halving = new Set([2, 4, 6, 12])

/** Layer 11 is the first that predicts boxes. It has the finest picture, so it finds the smallest faces. */
const firstPredictingLayer = 11

/** The cells along a side of each picture that predicts boxes, in the trained size, and the boxes of one cell. */
const predictingGrids = [
  { cells: 32, boxes: 3 },
  { cells: 16, boxes: 6 },
  { cells: 8, boxes: 6 },
  { cells: 4, boxes: 6 },
  { cells: 2, boxes: 6 },
  { cells: 1, boxes: 6 }
] as const

/** Those that have whole cells in a picture of this side. The others predict boxes that are larger than the picture. */
const gridsOf = (side: LookSide) =>
  predictingGrids.filter(({ cells }) => Number.isInteger((cells * side) / trainedSide))

/**
 * The network's fixed boxes, one of each size around the middle of each cell. They are as many pixels large as in a picture of the trained
 * side, whose boxes come with the weights.
 */
const anchorsOf = (trained: ArrayLike<number>, side: LookSide): tf.Tensor2D => {
  const part = side / trainedSide
  const edges: Array<number> = []
  let first = 0
  for (const { boxes, cells } of gridsOf(side)) {
    const along = cells * part
    for (let cell = 0; cell < along ** 2; cell++) {
      const [down, right] = [(Math.floor(cell / along) + 0.5) / along, ((cell % along) + 0.5) / along]
      for (let box = first; box < first + boxes; box++) {
        const halfHeight = (trained[box * 4 + 2]! - trained[box * 4]!) / part / 2
        const halfWidth = (trained[box * 4 + 3]! - trained[box * 4 + 1]!) / part / 2
        edges.push(down - halfHeight, right - halfWidth, down + halfHeight, right + halfWidth)
      }
    }
    first += cells ** 2 * boxes
  }
  return tf.tensor2d(edges, [edges.length / 4, 4])
}

type Network = (photo: tf.Tensor4D, side: LookSide) => { readonly boxes: tf.Tensor; readonly scores: tf.Tensor }

const network = (weights: Weights): Network => {
  const pointwise = (name: string): Layer => ({
    filters: weights(`${name}_pointwise/weights`, 4),
    bias: weights(`${name}_pointwise/convolution_bn_offset`, 1)
  })
  const depthwise = (name: string): Layer => normalised(weights, `${name}_depthwise`)
  const predictor = (index: number, kind: string): Layer => ({
    filters: weights(`Prediction/BoxPredictor_${index}/${kind}/weights`, 4),
    bias: weights(`Prediction/BoxPredictor_${index}/${kind}/biases`, 1)
  })
  const first = pointwise("MobilenetV1/Conv2d_0")
  const mobile = Array.from({ length: 13 }, (_, index) => {
    const name = `MobilenetV1/Conv2d_${index + 1}`
    return { depthwise: depthwise(name), pointwise: pointwise(name) }
  })
  const shrinking = Array.from({ length: 8 }, (_, index) => pointwise(`Prediction/Conv2d_${index}`))
  const predictors = Array.from({ length: 6 }, (_, index) => ({
    box: predictor(index, "BoxEncodingPredictor"),
    class: predictor(index, "ClassPredictor")
  }))
  const trained = weights("Output/extra_dim", 3).dataSync()
  const anchors = new Map(lookSides.map((side) => [side, anchorsOf(trained, side)] as const))

  return (photo, side) => {
    const pictures: Array<tf.Tensor4D> = []
    let picture = convolve(tf.sub<tf.Tensor4D>(tf.div(photo, 127.5), 1), first, 2, "same", "relu6")
    for (const [index, layer] of mobile.entries()) {
      const halved = convolveDepthwise(picture, layer.depthwise, halving.has(index + 1) ? 2 : 1, "relu6")
      picture = convolve(halved, layer.pointwise, 1, "same", "relu6")
      if (index + 1 === firstPredictingLayer) pictures.push(picture)
    }
    pictures.push(picture)
    for (const [index, layer] of shrinking.entries()) {
      picture = convolve(picture, layer, index % 2 === 0 ? 1 : 2, "same", "relu6")
      if (index % 2 === 1) pictures.push(picture)
    }
    const predict = (kind: "box" | "class", numbersEach: number) =>
      tf.concat(
        pictures
          .slice(0, gridsOf(side).length)
          .map((input, index) =>
            tf.reshape<tf.Rank.R2>(convolve(input, predictors[index]![kind], 1, "same", "linear"), [-1, numbersEach])
          ),
        0
      )
    return {
      boxes: decode(predict("box", 4), anchors.get(side)!),
      // The classes are background, face, and one that is not used.
      scores: tf.reshape(tf.sigmoid(tf.slice(predict("class", 3), [0, 1], [-1, 1])), [-1])
    }
  }
}

/** A depthwise layer, with the batch normalisation that follows it worked into its numbers. */
const normalised = (weights: Weights, name: string): Layer => {
  const of = (part: string) => weights(`${name}/BatchNorm/${part}`, 1)
  return tf.tidy(() => {
    const scale = tf.div<tf.Tensor1D>(of("gamma"), tf.sqrt(tf.add(of("moving_variance"), 0.001)))
    const filters = weights(`${name}/depthwise_weights`, 4)
    return {
      filters: tf.mul<tf.Tensor4D>(filters, tf.reshape(scale, [1, 1, -1, 1])),
      bias: tf.sub<tf.Tensor1D>(of("beta"), tf.mul(of("moving_mean"), scale))
    }
  })
}

/**
 * Boxes as top, left, bottom and right in parts of the square, computed from the network's corrections to its fixed
 * anchors.
 */
const decode = (corrections: tf.Tensor2D, anchors: tf.Tensor2D): tf.Tensor2D => {
  const starts = tf.slice(anchors, [0, 0], [-1, 2])
  const sizes = tf.sub(tf.slice(anchors, [0, 2], [-1, 2]), starts)
  const centres = tf.add(
    tf.add(starts, tf.div(sizes, 2)),
    tf.mul(tf.div(tf.slice(corrections, [0, 0], [-1, 2]), 10), sizes)
  )
  const halves = tf.div(tf.mul(tf.exp(tf.div(tf.slice(corrections, [0, 2], [-1, 2]), 5)), sizes), 2)
  return tf.concat([tf.sub<tf.Tensor2D>(centres, halves), tf.add<tf.Tensor2D>(centres, halves)], 1)
}
