/**
 * Reads the weights of the networks from the package that ships them. The networks themselves are written with
 * TensorFlow's operations in faceDetector.ts, faceLandmarks.ts and faceEmbedding.ts. The package's own programs for
 * Node need a second, whole TensorFlow, or fail on this Node; its weights need only the core and one backend.
 */
import * as tf from "@tensorflow/tfjs-core"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The types of tensors by their number of dimensions. */
interface Tensors {
  readonly 1: tf.Tensor1D
  readonly 2: tf.Tensor2D
  readonly 3: tf.Tensor3D
  readonly 4: tf.Tensor4D
}

/**
 * The weights of one network by name. A name that is missing, or weights of another shape, fail the start of the
 * worker.
 */
export type Weights = <D extends keyof Tensors>(name: string, dimensions: D) => Tensors[D]

const folder = () =>
  dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/model/ssd_mobilenetv1_model.bin"))

export const readWeights = async (
  model: "ssd_mobilenetv1_model" | "face_landmark_68_model" | "face_recognition_model"
): Promise<Weights> => {
  const [manifest, bytes] = await Promise.all([
    readFile(join(folder(), `${model}-weights_manifest.json`), "utf8"),
    readFile(join(folder(), `${model}.bin`))
  ])
  const [group] = JSON.parse(manifest) as [{ readonly weights: Array<tf.io.WeightsManifestEntry> }]
  // A copy, because the bytes of a small file may lie at an offset in memory that is shared with other files.
  const tensors = tf.io.decodeWeights(new Uint8Array(bytes).buffer, group.weights)
  return (name, dimensions) => {
    const tensor = tensors[name]
    if (tensor === undefined) throw new Error(`The face model ${model} has no weights named ${name}.`)
    if (!hasDimensions(tensor, dimensions)) throw new Error(`The weights ${name} of ${model} have another shape.`)
    return tensor
  }
}

const hasDimensions = <D extends keyof Tensors>(tensor: tf.Tensor, dimensions: D): tensor is Tensors[D] =>
  tensor.shape.length === dimensions
