/** The two ways to compute what the networks compute. This file loads neither: the service itself needs only their names. */

export type FaceBackend = "tensorflow" | "wasm"

/** The type is not a literal, because the compiler would then look for a package that is optional. */
export const nativePackage: string = "@tensorflow/tfjs-node"
