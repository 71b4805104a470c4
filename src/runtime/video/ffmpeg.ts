/**
 * FFmpeg as WebAssembly: a program that is confined by what it is. It sees the files it is given, in memory, and has no
 * network; its memory is limited here. It is for a process or thread of its own, which it occupies while it works and
 * whose globals it changes.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { videoLimits } from "./limits.ts"

/** What is used of the package, which has no types. A call is one run of the program of that name. */
export interface Ffmpeg {
  /** 0: it says that it succeeded. */
  readonly exec: (...args: ReadonlyArray<string>) => number
  readonly ffprobe: (...args: ReadonlyArray<string>) => number
  readonly setLogger: (logger: () => void) => void
  /** Before each run. */
  readonly reset: () => void
  readonly FS: {
    /** `canOwn`: the bytes are not copied. */
    readonly writeFile: (path: string, bytes: Uint8Array, options?: { readonly canOwn: boolean }) => void
    readonly readFile: (path: string) => Uint8Array
    readonly unlink: (path: string) => void
  }
}

/** As much of it as is used: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: Imports) => Instance
}
interface Instance {
  readonly exports: object
}

type Imports = Record<string, Record<string, (bytes: number) => unknown>>

export const loadFfmpeg = async (): Promise<Ffmpeg> => {
  // It takes this for a browser's worker, and would find the network in what Node has of one.
  Object.assign(globalThis, {
    self: globalThis,
    location: { href: import.meta.url },
    fetch: undefined,
    WebSocket: undefined
  })
  const require = createRequire(import.meta.url)
  const create: (module: object) => Promise<Ffmpeg> = require("@ffmpeg/core")
  const program = new WebAssembly.Module(readFileSync(require.resolve("@ffmpeg/core/wasm")))
  const ffmpeg = await create({
    instantiateWasm: (imports: Imports, receive: (instance: Instance) => void) => {
      limitMemory(imports)
      const instance = new WebAssembly.Instance(program, imports)
      receive(instance)
      return instance.exports
    }
  })
  // What it logs quotes the file.
  ffmpeg.setLogger(() => {})
  return ffmpeg
}

/** It asks for more memory by this function alone, and takes no for an answer. */
const limitMemory = (imports: Imports): void => {
  for (const group of Object.values(imports)) {
    for (const [name, grow] of Object.entries(group)) {
      if (grow.name !== "_emscripten_resize_heap") continue
      group[name] = (bytes) => (bytes >>> 0 > videoLimits.largestFfmpegBytes ? 0 : grow(bytes))
      return
    }
  }
  throw new Error("FFmpeg's memory cannot be limited")
}
