/**
 * Turns one face into 128 numbers, which lie close together for photos of one person and far apart for two people. The
 * landmarks place and straighten the face; a residual network by dlib's author reads it. The weights are those that
 * @vladmandic/face-api ships (MIT). `faceJudgement.ts` decides which distance means the same person.
 */
import * as tf from "@tensorflow/tfjs-core"
import type { Box } from "./faceDetector.ts"
import { colourTensor, type Landmarks } from "./faceLandmarks.ts"
import { convolve, type Layer } from "./faceLayers.ts"
import { readWeights, type Weights } from "./faceModels.ts"
import { cutSquare, type Raster } from "./faceSquare.ts"

/** The size the network was trained at, in pixels. */
const inputSide = 150

export type Embedder = (photo: Raster, box: Box) => Promise<Float32Array>

export const loadEmbedder = async (landmarks: Landmarks): Promise<Embedder> => {
  const read = network(await readWeights("face_recognition_model"))
  return async (photo, box) => {
    const face = await landmarks.straightened(photo, box)
    const output = tf.tidy(() => read(colourTensor(cutSquare(photo, face, inputSide), inputSide)))
    try {
      return Float32Array.from(await output.data())
    } finally {
      output.dispose()
    }
  }
}

/** The blocks of the residual network in order. Those named "down" halve the picture. */
const residualBlocks = [
  ["conv32_1", "conv32_2", "conv32_3"],
  ["conv64_down", "conv64_1", "conv64_2", "conv64_3"],
  ["conv128_down", "conv128_1", "conv128_2"],
  ["conv256_down", "conv256_1", "conv256_2", "conv256_down_out"]
].flat()

const network = (weights: Weights): ((face: tf.Tensor4D) => tf.Tensor2D) => {
  /** A layer, with the scaling that follows it worked into its numbers. */
  const layer = (name: string): Layer =>
    tf.tidy(() => {
      const scale = weights(`${name}/scale/weights`, 1)
      return {
        filters: tf.mul<tf.Tensor4D>(weights(`${name}/conv/filters`, 4), scale),
        bias: tf.add<tf.Tensor1D>(tf.mul(weights(`${name}/conv/bias`, 1), scale), weights(`${name}/scale/biases`, 1))
      }
    })
  const first = layer("conv32_down")
  const blocks = residualBlocks.map((name) => ({
    halve: name.includes("down"),
    reading: layer(`${name}/conv1`),
    correcting: layer(`${name}/conv2`)
  }))
  const last = weights("fc", 2)

  return (face) => {
    let features = tf.maxPool(convolve(face, first, 2, "valid", "relu"), 3, 2, "valid")
    for (const { correcting, halve, reading } of blocks) {
      const read = halve
        ? convolve(features, reading, 2, "valid", "relu")
        : convolve(features, reading, 1, "same", "relu")
      const shortcut = halve ? tf.avgPool(features, 2, 2, "valid") : features
      features = tf.relu(tf.add<tf.Tensor4D>(...grownAlike(convolve(read, correcting, 1, "same", "linear"), shortcut)))
    }
    return tf.matMul(tf.mean<tf.Tensor2D>(features, [1, 2]), last)
  }
}

/** Pads the smaller of the two with zeros, below, on the right and in depth, as in the network's training. */
const grownAlike = (a: tf.Tensor4D, b: tf.Tensor4D): [tf.Tensor4D, tf.Tensor4D] => {
  const target = a.shape.map((length, axis) => Math.max(length, b.shape[axis]!))
  const grown = (tensor: tf.Tensor4D) =>
    tf.pad4d(tensor, target.map((length, axis) => [0, length - tensor.shape[axis]!]) as Parameters<typeof tf.pad4d>[1])
  return [grown(a), grown(b)]
}
