import * as tf from "@tensorflow/tfjs-core"
import { afterEach, expect, test } from "vitest"
import { startBackend } from "../../../src/runtime/faces/networks/faceBackend.ts"
import { readWeights } from "../../../src/runtime/faces/networks/faceModels.ts"

/** In the native library's place: whatever it is asked, the answer is this number. */
class StandIn extends tf.KernelBackend {
  readonly #answer: number
  readonly #values = new Map<object, tf.backend_util.BackendValues>()

  constructor(answer: number) {
    super()
    this.#answer = answer
  }

  answer(shape: ReadonlyArray<number>): tf.TensorInfo {
    const dataId = {}
    this.#values.set(dataId, new Float32Array(shape.reduce((a, b) => a * b)).fill(this.#answer))
    return { dataId, shape: [...shape], dtype: "float32" }
  }

  override write(values: tf.backend_util.BackendValues): object {
    const dataId = {}
    this.#values.set(dataId, values)
    return dataId
  }

  override move(dataId: object, values: tf.backend_util.BackendValues): void {
    this.#values.set(dataId, values)
  }

  override async read(dataId: object): Promise<tf.backend_util.BackendValues> {
    return this.#values.get(dataId)!
  }

  override readSync(dataId: object): tf.backend_util.BackendValues {
    return this.#values.get(dataId)!
  }

  override disposeData(): boolean {
    return true
  }

  override numDataIds(): number {
    return this.#values.size
  }

  override incRef(): void {}

  override memory(): { unreliable: boolean } {
    return { unreliable: true }
  }

  override floatPrecision(): 32 {
    return 32
  }

  override epsilon(): number {
    return 1e-7
  }

  override dispose(): void {}
}

/** What loading @tensorflow/tfjs-node does; without kernels it can be chosen but computes nothing. */
const loading = (answer: number, kernels: ReadonlyArray<string>) => async (): Promise<void> => {
  tf.registerBackend("tensorflow", () => new StandIn(answer))
  for (const kernelName of kernels) {
    tf.registerKernel({
      kernelName,
      backendName: "tensorflow",
      kernelFunc: ({ backend }) => (backend as StandIn).answer([1, 2, 2, 1])
    })
  }
}

const convolutions = [tf.FusedConv2D, tf.FusedDepthwiseConv2D]

afterEach(() => {
  if (tf.findBackendFactory("tensorflow") === null) return
  for (const name of convolutions) {
    if (tf.getKernel(name, "tensorflow") !== undefined) tf.unregisterKernel(name, "tensorflow")
  }
  tf.removeBackend("tensorflow")
})

/** What the self-test's convolutions come to. */
const right = 5

test("uses the native library if it computes correctly", async () => {
  expect(await startBackend(null, loading(right, convolutions))).toBe("tensorflow")
})

test.each([
  ["is not installed", () => Promise.reject(new Error("Cannot find package"))],
  ["throws in its first operation", loading(right, [])],
  ["computes wrongly", loading(right - 0.01, convolutions)],
  ["computes no numbers", loading(Number.NaN, convolutions)]
])("uses WebAssembly if the native library %s", async (_, load) => {
  expect(await startBackend(null, load)).toBe("wasm")
  expect(tf.getBackend()).toBe("wasm")
})

test("uses no other backend than the named one", async () => {
  expect(await startBackend("wasm", loading(right, convolutions))).toBe("wasm")
  await expect(startBackend("tensorflow", () => Promise.reject(new Error("Cannot find package")))).rejects.toThrow(
    "No TensorFlow backend works on this machine."
  )
})

test("says which weights are missing or have another shape", async () => {
  await startBackend("wasm")
  const weights = await readWeights("face_landmark_68_model")
  expect(weights("fc/bias", 1).shape).toEqual([136])
  expect(() => weights("fc/nothing", 1)).toThrow(
    "The face model face_landmark_68_model has no weights named fc/nothing."
  )
  expect(() => weights("fc/bias", 4)).toThrow("fc/bias")
})
