/**
 * The layers the networks are made of. Convolution, bias and activation are one operation each, which the backends
 * compute in one pass over the picture: with them apart, the detector takes 1.25 times as long. Which layers there are, and
 * with what numbers, is the networks' own.
 */
import * as tf from "@tensorflow/tfjs-core"

/** Made once when a network is loaded: the WASM backend prepares each layer for its tensors and keeps that. */
export interface Layer {
  readonly filters: tf.Tensor4D
  readonly bias: tf.Tensor1D
}

type Activation = "linear" | "relu" | "relu6"

export const convolve = (
  x: tf.Tensor4D,
  { bias, filters: filter }: Layer,
  strides: 1 | 2,
  pad: "same" | "valid",
  activation: Activation
): tf.Tensor4D => tf.fused.conv2d({ x, filter, bias, strides, pad, activation })

/** Each colour, or feature, on its own. */
export const convolveDepthwise = (
  x: tf.Tensor4D,
  { bias, filters: filter }: Layer,
  strides: 1 | 2,
  activation: Activation
): tf.Tensor4D => tf.fused.depthwiseConv2d({ x, filter, bias, strides, pad: "same", activation })
