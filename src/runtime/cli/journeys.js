#!/usr/bin/env node
/**
 * The command line as a program of its own: `npx journeys companies list --json | jq`, where `npm run` would print a heading
 * before the JSON. It hands over to the Node that is a dependency when it was begun by an older one. The file is plain
 * JavaScript, so that every Node understands it.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const oldest = 24

if (Number(process.versions.node.split(".")[0]) >= oldest) {
  await import("../moduleLoading.js")
  await import("./main.ts")
} else {
  const node = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url))
  const main = fileURLToPath(new URL("main.ts", import.meta.url))
  const loading = new URL("../moduleLoading.js", import.meta.url).href
  const child = spawn(node, ["--import", loading, main, ...process.argv.slice(2)], { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal))
  child.on("error", () => {
    console.error(`Node ${oldest} or newer is needed, and this is ${process.versions.node}: run "npm install" first`)
    process.exitCode = 1
  })
  child.on("exit", (code) => {
    process.exitCode = code ?? 1
  })
}
