/**
 * Finds faces in a photo with the single-shot detector (SSD on MobileNet v1) whose weights @vladmandic/face-api ships
 * (MIT). It says where something like a face is and how sure the network is. faceJudgement.ts decides whether that is
 * good enough for a customer photo.
 */
import * as tf from "@tensorflow/tfjs-core"
import { convolve, convolveDepthwise, type Layer } from "./faceLayers.ts"
import { readWeights, type Weights } from "./faceModels.ts"
import { cutSquare, type Raster, type Square } from "./faceSquare.ts"
import { clearScore, leastScore, marginInBetween, margins } from "./faceThresholds.ts"
import { photoLimits } from "./limits.ts"

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

/** The size the network was trained at, in pixels. */
const inputSide = 512

/** Two boxes that share more than this part of the smaller box are the same face, found twice. */
const sameFaceOverlap = 0.5

/** `margins` instead of those that the detector was loaded with. */
export type Detector = (photo: Raster, margins?: ReadonlyArray<number>) => Promise<ReadonlyArray<Detection>>

/** Looks with each of the first margins. Looks with the other margins only if nothing clear was found. */
export const loadDetector = async (
  first: ReadonlyArray<number> = margins,
  others: ReadonlyArray<number> = [marginInBetween]
): Promise<Detector> => {
  const find = network(await readWeights("ssd_mobilenetv1_model"))
  const look = async (photo: Raster, margin: number): Promise<ReadonlyArray<Detection>> => {
    const side = Math.max(photo.width, photo.height) * margin
    const view = { centreX: photo.width / 2, centreY: photo.height / 2, side, angle: 0 }
    const input = cutSquare(photo, view, inputSide)
    const { boxes, scores } = tf.tidy(() => find(tf.tensor4d(input, [1, inputSide, inputSide, 3])))
    try {
      const [edges, certainties] = await Promise.all([boxes.data(), scores.data()])
      return detectionsOf(edges, certainties).map(({ box, score }) => ({ box: inPhoto(box, view, photo), score }))
    } finally {
      tf.dispose([boxes, scores])
    }
  }
  return async (photo, always = first) => {
    const found: Array<Detection> = []
    for (const margin of always) found.push(...(await look(photo, margin)))
    for (const margin of others) {
      if (!found.some(({ score }) => score >= clearScore)) found.push(...(await look(photo, margin)))
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

type Network = (photo: tf.Tensor4D) => { readonly boxes: tf.Tensor; readonly scores: tf.Tensor }

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
  const anchors = tf.reshape<tf.Rank.R2>(weights("Output/extra_dim", 3), [-1, 4])

  return (photo) => {
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
        pictures.map((input, index) =>
          tf.reshape<tf.Rank.R2>(convolve(input, predictors[index]![kind], 1, "same", "linear"), [-1, numbersEach])
        ),
        0
      )
    return {
      boxes: decode(predict("box", 4), anchors),
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
