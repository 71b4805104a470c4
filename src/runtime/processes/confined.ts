/**
 * How a process is confined that reads what strangers send: photos, documents and videos. What it reads could take it over, so that it has
 * nothing to take: no environment variable and so no secret, no file but its program, no process and no place to write, not even a core
 * dump, which would show what it had in memory. What such a process does, and for how long, is the business of whoever starts it.
 *
 * It comes after the service for a core, with all of it: V8 collects garbage and compiles on the one thread (`--single-threaded`). Otherwise V8
 * has threads of its own for both, which come before the service, and requests wait for them. A function of WebAssembly is checked when
 * it is first called (`--wasm-lazy-validation`): FFmpeg has 30 MB of them, and a video calls a small part.
 */
import { lstatSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Command } from "./ProcessStarter.ts"

export interface Confinement {
  /** The file of the program, and what it is told. */
  readonly program: string
  readonly parameters: ReadonlyArray<string>
  /** Files and folders that the process may read beside its program. */
  readonly readable: ReadonlyArray<string>
  /** JavaScript's objects in the process. */
  readonly heapMegabytes: number
  /** How much the process comes after others for a core; null: it sees to that itself, once it is ready. */
  readonly niceness: number | null
  /** Seconds of a core, after which the system ends the process. Null for one that answers many questions. */
  readonly coreSeconds: number | null
  /** What Node would refuse besides: threads of the process's own, and libraries of machine code. */
  readonly allowed: ReadonlyArray<"worker" | "addons">
}

const source = fileURLToPath(new URL("../../", import.meta.url))
const ownPackage = fileURLToPath(new URL("../../../package.json", import.meta.url))
const ownPackages = fileURLToPath(new URL("../../../node_modules", import.meta.url))

/** The folder of all packages, wherever the service itself is installed. */
const packages = (): string => {
  const effect = pathToFileURL(createRequire(import.meta.url).resolve("effect/package.json"))
  return fileURLToPath(new URL("../", effect))
}

/** Where the folder of packages is a link to one elsewhere, Node asks by the link's name first. */
export const linkToPackages = (): ReadonlyArray<string> =>
  lstatSync(ownPackages, { throwIfNoEntry: false })?.isSymbolicLink() === true ? [ownPackages] : []

/** The programs of the service and its packages, which hold no secret and nothing of a customer. */
export const ownPrograms = (): ReadonlyArray<string> => [source, ownPackage, ...linkToPackages(), packages()]

/** The shell sets the limits and then becomes the process. */
export const confined = (confinement: Confinement): Command => {
  const { allowed, coreSeconds, heapMegabytes, niceness, parameters, program, readable } = confinement
  const time = coreSeconds === null ? "" : `ulimit -t ${coreSeconds} && `
  const limits = `ulimit -c 0 && ulimit -f 0 && ${time}exec ${niceness === null ? "" : `nice -n ${niceness} `}"$@"`
  const permissions = [
    "--permission",
    ...[program, ...readable].map((path) => `--allow-fs-read=${path}`),
    ...allowed.map((what) => `--allow-${what}`)
  ]
  const engine = [`--max-old-space-size=${heapMegabytes}`, "--single-threaded", "--wasm-lazy-validation"]
  return {
    command: ["/bin/sh", "-c", limits, "sh", process.execPath, ...engine, ...permissions, program, ...parameters],
    environment: { PATH: "/usr/bin:/bin" }
  }
}
