/**
 * What `npm start` runs. It refuses a Node that is too old with one line; the program itself would only be a syntax
 * error to such a Node. The file is plain JavaScript, so that every Node understands it. npm scripts run on the Node
 * that is a dependency. An older Node gets here when somebody installed with --ignore-scripts, or names it by hand.
 */
const oldest = 24

const major = Number(process.versions.node.split(".")[0])

if (major < oldest) {
  console.error(
    `Node ${oldest} or newer is needed, and this is ${process.versions.node}: run "npm install" and "npm start", or install Node ${oldest}`
  )
  process.exitCode = 1
} else {
  await import("./moduleLoading.js")
  await import("./v8Flags.ts")
  await import("./main.ts")
}
