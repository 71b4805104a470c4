/** Starts processes of this project as a shell would: the service, and commands that end by themselves. */
import { spawn, type ChildProcess } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const root = resolve(import.meta.dirname, "../..")
/** What a service says once it listens, as text or in a line of its log. */
export const listening = /Journeys listens on ([^\s"]+)["\n]/

export const mainScript = join(root, "src/runtime/start.js")
export const commandsScript = join(root, "src/runtime/cli/journeys.js")

/** What Node has compiled for one of the processes serves the next: most of their time is their start. */
export const compileCache = join(root, "node_modules/.cache/journeys")

/** Only what a process needs, so that no setting of the machine reaches it. */
const environmentOf = (given: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  NODE_COMPILE_CACHE: compileCache,
  // As `npm start` has it.
  NODE_OPTIONS: "--disable-proto=delete",
  // The role of tests has more rights than production allows.
  PROFILE: "development",
  ...given
})

const collected = (child: ChildProcess) => {
  const output = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  const ended = new Promise<Ended>((done) => child.once("close", (code) => done({ code, ...output })))
  return { output, ended }
}

/** Runs a program to its end. */
export const run = (
  command: string,
  parameters: ReadonlyArray<string>,
  { cwd, environment = {} }: { readonly cwd: string; readonly environment?: Environment }
): Promise<Ended> => collected(spawn(command, parameters, { cwd, env: environmentOf(environment) })).ended

export interface MainProcess {
  /** Everything that the process has written to stdout. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until stdout matches. Fails with all output if the process ends before that. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Writes to stdin, as a person types. */
  readonly type: (text: string) => void
  /** Sends the signal and waits for the end of the process. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
  /** Sends a signal that the process survives. */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void
  readonly ended: Promise<Ended>
}

/** Starts a program of this project that runs until it is stopped. */
export const startProgram = (
  script: string,
  parameters: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly environment?: Environment }
): MainProcess => startCommand(process.execPath, [script, ...parameters], options)

/** The same of any program. */
export const startCommand = (
  command: string,
  parameters: ReadonlyArray<string>,
  { cwd, environment = {} }: { readonly cwd: string; readonly environment?: Environment }
): MainProcess => {
  const child = spawn(command, parameters, { cwd, env: environmentOf(environment) })
  const { ended, output } = collected(child)
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    type: (text) => void child.stdin.write(text),
    ended,
    printed: (pattern) =>
      new Promise((found, fail) => {
        const look = () => {
          const match = pattern.exec(output.stdout)
          if (match !== null) found(match)
        }
        child.stdout.on("data", look)
        void ended.then(({ code, stderr, stdout }) => fail(new Error(`ended with ${code}: ${stdout}\n${stderr}`)))
        look()
      }),
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    },
    signal: (signal) => void child.kill(signal)
  }
}

/** `npm start`, on a free port unless `environment` says otherwise. */
export const startMain = (cwd: string, environment: Environment = {}): MainProcess =>
  startProgram(mainScript, [], { cwd, environment: { PORT: "0", ...environment } })

/** A temporary folder, and how to remove it. */
export const temporaryFolder = async (): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), "journeys-process-"))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}
