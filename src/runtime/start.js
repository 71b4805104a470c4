/**
 * What `npm start` runs: refuses a Node that is too old in one line, where the program itself would be no more than a
 * syntax error to it. Plain JavaScript that every Node understands, and nothing else. npm scripts run on the Node that
 * is a dependency; an older one gets here when it was installed with --ignore-scripts, or when it is named by hand.
 */
const oldest = 24

const major = Number(process.versions.node.split(".")[0])

if (major < oldest) {
  console.error(
    `Node ${oldest} or newer is needed, and this is ${process.versions.node}: run "npm install" and "npm start", or install Node ${oldest}`
  )
  process.exitCode = 1
} else {
  await import("./main.ts")
}
