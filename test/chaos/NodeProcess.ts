/**
 * One runner of the cluster as a process of its own. It is started, killed, frozen, stopped and started again, and
 * keeps its ports. One fault at a time hurts a node; `faults.ts` decides which node and when.
 */
import { spawn, type ChildProcess } from "node:child_process"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/freePort.ts"

const program = join(import.meta.dirname, "../../src/runtime/start.js")
const startsWithinMillis = 60_000
/** Of what a node writes, the report keeps at most the end. */
const mostSaid = 20_000

export class NodeProcess {
  readonly name: string
  readonly baseUrl: string
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess | null = null
  #said = ""

  private constructor(name: string, port: number, environment: Readonly<Record<string, string>>) {
    this.name = name
    this.baseUrl = `http://127.0.0.1:${port}`
    this.#environment = environment
  }

  static async make(name: string, environment: Readonly<Record<string, string>>): Promise<NodeProcess> {
    const port = await freePort()
    const runner = await freePort()
    return new NodeProcess(name, port, {
      ...environment,
      PORT: String(port),
      RUNNER_ADDRESS: `127.0.0.1:${runner}`
    })
  }

  /** The end of what it wrote to stdout and stderr over all its lives. */
  get said(): string {
    return this.#said
  }

  get isUp(): boolean {
    return this.#child !== null
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [program], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...this.#environment }
    })
    const hear = (chunk: unknown) => {
      this.#said = (this.#said + String(chunk)).slice(-mostSaid)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    this.#child = child
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`${this.name} did not start: ${this.#said}`)
        return fetch(`${this.baseUrl}/health/live`).then(
          ({ ok }) => ok,
          () => false
        )
      },
      (isUp) => isUp,
      startsWithinMillis
    )
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal)
  }

  /** Ends it. Gives its exit code, or null after SIGKILL. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#child
    this.#child = null
    if (child === null) return null
    const ended = new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
      else child.once("exit", resolve)
    })
    child.kill(signal)
    return ended
  }
}
