/**
 * Starts TensorFlow. It uses the native library if the optional package @tensorflow/tfjs-node is installed and really
 * works, and WebAssembly otherwise, whose binaries come with their package. Models are not its business; every network
 * runs on either backend.
 */
import * as tf from "@tensorflow/tfjs-core"
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm"
import { createRequire } from "node:module"
import { dirname, sep } from "node:path"
import { nativePackage, type FaceBackend } from "./backends.ts"
import { convolve, convolveDepthwise } from "./faceLayers.ts"

/** Starts the named backend, or the best one that works. Rejects when none works. */
export const startBackend = async (
  wanted: FaceBackend | null = null,
  loadNative: () => Promise<unknown> = () => import(nativePackage)
): Promise<FaceBackend> => {
  if (wanted !== "wasm" && (await startsNative(loadNative))) return "tensorflow"
  if (wanted !== "tensorflow" && (await startsWasm())) return "wasm"
  throw new Error("No TensorFlow backend works on this machine.")
}

/**
 * Any failure means that the other backend is used. The package may be absent, lack its library, or be broken by a
 * newer Node.
 */
const startsNative = async (load: () => Promise<unknown>): Promise<boolean> => {
  try {
    await load()
    return (await tf.setBackend("tensorflow")) && (await computesCorrectly())
  } catch {
    return false
  }
}

const startsWasm = async (): Promise<boolean> => {
  const main = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm")
  setWasmPaths(dirname(main) + sep)
  // One thread for each process: there are several, and the threaded build would start more threads inside each.
  setThreadsCount(1)
  return (await tf.setBackend("wasm")) && (await computesCorrectly())
}

/**
 * Computes the convolutions that the networks are made of, with an answer that is known beforehand. Loading alone
 * proves nothing: tfjs-node loads on Node 23 and later, but throws in its first operation (`util.isNullOrUndefined` is
 * gone).
 */
const computesCorrectly = async (): Promise<boolean> => {
  const answer = tf.tidy(() => {
    const input = tf.tensor4d([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1])
    const filters = tf.tensor4d([1, 0, 0, -1], [2, 2, 1, 1])
    // The filter makes -4 of each four neighbours. With the bias that is 8, and relu6 leaves 6 of it.
    const six = convolve(input, { filters, bias: tf.tensor1d([12]) }, 1, "valid", "relu6")
    return convolveDepthwise(six, { filters: tf.ones<tf.Rank.R4>([1, 1, 1, 1]), bias: tf.tensor1d([-1]) }, 1, "relu6")
  })
  try {
    return (await answer.data()).every((value) => Math.abs(value - 5) < 1e-5)
  } finally {
    answer.dispose()
  }
}
