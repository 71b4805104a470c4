/** The part of WebAssembly that the programs of photos and videos need. Node's types leave it to the types of browsers. */
import { readFileSync } from "node:fs"

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasmProgram
  readonly Instance: new (program: WasmProgram, imports: WasmImports) => WasmInstance
}

/** A compiled program. Every instance of it has memory of its own. */
export type WasmProgram = object
export type WasmImports = Record<string, Record<string, (bytes: number) => unknown>>

export interface WasmInstance {
  readonly exports: object
}

export const compiledProgram = (file: string | URL): WasmProgram => new WebAssembly.Module(readFileSync(file))

export const instanceOf = (program: WasmProgram, imports: WasmImports): WasmInstance =>
  new WebAssembly.Instance(program, imports)
