/**
 * FFmpeg as WebAssembly, which confines it: it sees only the files that it is given, in memory, and has no network.
 * This file limits its memory. FFmpeg needs a process or thread of its own, because it blocks while it works and
 * changes globals.
 */
import { createRequire } from "node:module"
import { compiledProgram, instanceOf, type WasmImports, type WasmInstance } from "../node/webAssembly.ts"
import { videoLimits } from "./limits.ts"

/** The part of the package that is used; the package has no types. Each call runs the program of that name once. */
export interface Ffmpeg {
  /** 0 means success by FFmpeg's own word. */
  readonly exec: (...args: ReadonlyArray<string>) => number
  readonly ffprobe: (...args: ReadonlyArray<string>) => number
  readonly setLogger: (logger: () => void) => void
  /** Must be called before each run. */
  readonly reset: () => void
  readonly FS: {
    /** With `canOwn` the bytes are not copied. */
    readonly writeFile: (path: string, bytes: Uint8Array, options?: { readonly canOwn: boolean }) => void
    readonly readFile: (path: string) => Uint8Array
    readonly unlink: (path: string) => void
  }
}

export const loadFfmpeg = async (): Promise<Ffmpeg> => {
  // FFmpeg takes this process for a browser's worker, and would find the network in Node's `fetch` and `WebSocket`.
  Object.assign(globalThis, {
    self: globalThis,
    location: { href: import.meta.url },
    fetch: undefined,
    WebSocket: undefined
  })
  const require = createRequire(import.meta.url)
  const create: (module: object) => Promise<Ffmpeg> = require("@ffmpeg/core")
  const program = compiledProgram(require.resolve("@ffmpeg/core/wasm"))
  const ffmpeg = await create({
    instantiateWasm: (imports: WasmImports, receive: (instance: WasmInstance) => void) => {
      limitMemory(imports)
      const instance = instanceOf(program, imports)
      receive(instance)
      return instance.exports
    }
  })
  // The log of FFmpeg quotes the file.
  ffmpeg.setLogger(() => {})
  return ffmpeg
}

/** FFmpeg grows its memory by this one function, and accepts a refusal. */
const limitMemory = (imports: WasmImports): void => {
  for (const group of Object.values(imports)) {
    for (const [name, grow] of Object.entries(group)) {
      if (grow.name !== "_emscripten_resize_heap") continue
      group[name] = (bytes) => (bytes >>> 0 > videoLimits.largestFfmpegBytes ? 0 : grow(bytes))
      return
    }
  }
  throw new Error("FFmpeg's memory cannot be limited")
}
