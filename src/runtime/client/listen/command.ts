#!/usr/bin/env node
/**
 * The program of the package for Node: `npx --no @journeys/client listen`. It reads flags and variables and prints; what it does is
 * `listen.ts`. Exit code 0 when it was stopped, 1 with the reason on stderr when it could not go on.
 */
import { homedir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { listen, listenHelp } from "./listen.ts"
import { ListenFailed } from "./ListenFailed.ts"
import { messageLine } from "./listenLines.ts"

const options = {
  "forward-to": { type: "string" },
  "base-url": { type: "string" },
  key: { type: "string" },
  "from-start": { type: "boolean", default: false },
  secret: { type: "string" },
  state: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false }
} as const

const stateFolder = join(homedir(), ".journeys", "listen")

const lines: Readonly<Record<keyof typeof options, readonly [flag: string, about: string]>> = {
  "forward-to": ["--forward-to URL", `${listenHelp.flags["forward-to"]} (required)`],
  "base-url": ["--base-url URL", "Where the service is; without it JOURNEYS_URL says so"],
  key: ["--key KEY", `${listenHelp.flags.key}; without it that of JOURNEYS_KEY, which no list of processes shows`],
  "from-start": ["--from-start", listenHelp.flags["from-start"]],
  secret: ["--secret SECRET", listenHelp.flags.secret],
  state: ["--state FILE", `${listenHelp.flags.state}; without it a file in ${stateFolder}`],
  json: ["--json", "Print JSON, for programs"],
  help: ["--help", "Show this"]
}

const flagWidth = Math.max(...Object.values(lines).map(([flag]) => flag.length))

const help = [
  listenHelp.about,
  "",
  "USAGE",
  "  npx --no @journeys/client listen --forward-to URL [flags]",
  "",
  "FLAGS",
  ...Object.values(lines).map(([flag, about]) => `  ${flag.padEnd(flagWidth)}  ${about}`)
].join("\n")

const given = (parameters: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true })
  } catch (cause) {
    throw new ListenFailed(`${cause instanceof Error ? cause.message : String(cause)}; --help shows the flags`, {
      cause
    })
  }
}

const needed = (text: string | undefined, missing: string): string => {
  if (text === undefined || text === "") throw new ListenFailed(missing)
  return text
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const run = async (parameters: ReadonlyArray<string>): Promise<void> => {
  const { positionals, values } = given(parameters)
  if (values.help) return print(help)
  if (positionals.join(" ") !== "listen") throw new ListenFailed('the one command is "listen"; --help shows its flags')
  const { JOURNEYS_KEY, JOURNEYS_URL } = process.env
  const stopping = new AbortController()
  // The second signal ends the process at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort())
  await listen({
    forwardTo: needed(values["forward-to"], "say with --forward-to where events are sent"),
    baseUrl: needed(values["base-url"] ?? JOURNEYS_URL, "say with --base-url or JOURNEYS_URL where the service is"),
    key: needed(values.key ?? JOURNEYS_KEY, "give a test key with --key or in JOURNEYS_KEY"),
    fromStart: values["from-start"],
    secret: values.secret,
    stateFile: values.state,
    stateFolder,
    isJson: values.json,
    signal: stopping.signal,
    print,
    printError: (line) => void process.stderr.write(`${line}\n`)
  })
}

const parameters = process.argv.slice(2)
try {
  await run(parameters)
} catch (error) {
  if (!(error instanceof ListenFailed)) throw error
  process.stderr.write(`${messageLine(error.message, parameters.includes("--json"))}\n`)
  process.exitCode = 1
}
