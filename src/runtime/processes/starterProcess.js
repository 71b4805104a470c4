/**
 * The small process that starts others for `ProcessStarter.ts`: it is told which, gets their input and output as sockets, says when
 * they have started and ended, and ends them. When the service goes, it ends them all and itself. Plain JavaScript, because Node
 * would load a compiler for TypeScript, which takes more memory than all else here.
 */
import { spawn } from "node:child_process"

const inputs = new Map()
const running = new Map()

const say = (answer) => {
  if (process.connected) process.send(answer)
}

const start = ({ command: [program, ...parameters], environment, id }, output) => {
  const input = inputs.get(id)
  inputs.delete(id)
  const started = spawn(program, parameters, { env: environment, stdio: [input, output, "ignore"] })
  // The started process has both; here they would keep its output open after its end.
  input.destroy()
  output.destroy()
  running.set(id, started)
  const ended = (how) => {
    if (running.delete(id)) say({ _tag: "Ended", id, how })
  }
  started.once("spawn", () => say({ _tag: "Started", id, pid: started.pid }))
  started.once("error", ({ code }) => ended(code))
  started.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`))
}

process.on("message", (asked, socket) => {
  switch (asked._tag) {
    case "Input":
      inputs.set(asked.id, socket)
      break
    case "Start":
      start(asked, socket)
      break
    case "End":
      running.get(asked.id)?.kill("SIGKILL")
  }
})

process.on("disconnect", () => {
  for (const started of running.values()) started.kill("SIGKILL")
  process.exit()
})

// Ctrl-C in a terminal reaches every process of the service, which may want to end what it has begun.
process.on("SIGINT", () => {})
