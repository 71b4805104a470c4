/** The plain server as a process of its own, while it is used. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { freePort } from "../support/freePort.ts"
import { cpuMeter } from "./cpuMeter.ts"
import type { Side } from "./measured.ts"

export const withPlainServer = async <A>(databaseUrl: string, use: (side: Side) => Promise<A>): Promise<A> => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, "plainServer.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, by which its CPU time is found.
    detached: true,
    env: { ...process.env, PORT: String(port), DATABASE_URL: databaseUrl }
  })
  try {
    await Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(() => Promise.reject(new Error("the plain server ended")))
    ])
    return await use({ ports: [port], keys: ["plain"], meter: await cpuMeter(databaseUrl, child.pid ?? 0) })
  } finally {
    child.kill()
  }
}
