/** The service as a process of its own on a given database and port. Tests kill it and start it again. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { compileCache } from "../support/processes.ts"
import { operatorToken } from "../support/service.ts"

const program = join(import.meta.dirname, "../../src/runtime/start.js")
const startsWithinMillis = 90_000
const betweenMillis = 25

export interface ServiceProcess {
  readonly pid: number
  readonly baseUrl: string
  /** What the process has written so far, for the message of a failure. */
  readonly said: () => string
  /** Sends a signal and waits for the end of the process. */
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Promise<void>
}

const hasEnded = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once("exit", () => resolve())
  })

/** Starts the service and waits until it answers. */
export const startProcess = async (
  databaseUrl: string,
  port: number,
  environment: Readonly<Record<string, string>> = {}
): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compileCache,
      // As `npm start` has it.
      NODE_OPTIONS: "--disable-proto=delete",
      PORT: String(port),
      PROFILE: "development",
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken,
      RATE_LIMIT_PER_MINUTE: "1000000",
      ...environment
    }
  })
  let said = ""
  child.stdout.on("data", (chunk) => (said += String(chunk)))
  child.stderr.on("data", (chunk) => (said += String(chunk)))
  const baseUrl = `http://127.0.0.1:${port}`
  const end = performance.now() + startsWithinMillis
  while (!(await answers(baseUrl))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`the service did not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, betweenMillis))
  }
  return {
    pid: child.pid ?? 0,
    baseUrl,
    said: () => said,
    end: async (signal) => {
      child.kill(signal)
      await hasEnded(child)
    }
  }
}

const answers = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/api/v1/journeys`).then(
    async (response) => {
      await response.arrayBuffer()
      return true
    },
    () => false
  )
