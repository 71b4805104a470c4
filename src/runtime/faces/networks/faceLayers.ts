/**
 * The layers that the networks are made of. Convolution, bias and activation are one operation, which the backends
 * compute in one pass over the picture; with separate operations the detector takes 1.25 times as long. Each network
 * decides which layers it has, and with which numbers.
 */
import * as tf from "@tensorflow/tfjs-core"

/**
 * A layer is made once, when its network is loaded. The WASM backend prepares each layer for its tensors and keeps the
 * result.
 */
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

/** Convolves each colour, or each feature, on its own. */
export const convolveDepthwise = (
  x: tf.Tensor4D,
  { bias, filters: filter }: Layer,
  strides: 1 | 2,
  activation: Activation
): tf.Tensor4D => tf.fused.depthwiseConv2d({ x, filter, bias, strides, pad: "same", activation })
