/** The help of every command: required flags are marked, and each command has examples that fit it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option } from "effect"
import { CliError, CliOutput, Command, type HelpDoc } from "effect/cli"
import { expect, it } from "vitest"
import { settings } from "../../../src/http/api/settings.ts"
import { OperatorScope } from "../../../src/schema/installation/OperatorToken.ts"
import { commandExamples } from "../../../src/runtime/cli/frame/commandExamples.ts"
import { formatterWith, withExamples } from "../../../src/runtime/cli/frame/helpFormatter.ts"
import { journeys } from "../../../src/runtime/cli/commands/journeysCommand.ts"

/** The help that a command shows. */
const helpOf = async (path: ReadonlyArray<string>): Promise<HelpDoc.HelpDoc> => {
  let shown: HelpDoc.HelpDoc | null = null
  const formatter = CliOutput.layer(
    formatterWith((doc) => {
      shown = doc
      return ""
    })
  )
  const run = Command.runWith(journeys, { version: "1" })([...path, "--help"])
  await Effect.runPromise(Effect.provide(run, Layer.merge(NodeServices.layer, formatter)))
  if (shown === null) throw new Error(`no help for ${path.join(" ")}`)
  return withExamples(shown)
}

const longestLine = 250

/** A command that does something itself beside the commands that it has. */
const alsoRuns: ReadonlySet<string> = new Set(["audit"])

/** Every command that does something. */
const commandsUnder = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<HelpDoc.HelpDoc>> => {
  const doc = await helpOf(path)
  const below = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
  if (below.length === 0) return [doc]
  const own = alsoRuns.has(path.join(" ")) ? [doc] : []
  return [...own, ...(await Promise.all(below.map((name) => commandsUnder([...path, name])))).flat()]
}

const isMarked = ({ description }: HelpDoc.FlagDoc): boolean =>
  Option.getOrElse(description, () => "").includes(" (required)")

const pathOf = (doc: HelpDoc.HelpDoc): string => (doc.commandPath ?? []).slice(1).join(" ")

it("every command has examples, and every flag of an example is a flag of its command", async () => {
  const docs = await commandsUnder([])
  expect(docs.length).toBeGreaterThan(30)
  expect(docs.map(pathOf).toSorted()).toEqual(Object.keys(commandExamples).toSorted())
  for (const doc of docs) {
    const known = [...doc.flags, ...(doc.globalFlags ?? [])].flatMap(({ name }) => [`--${name}`, `--no-${name}`])
    for (const { command } of doc.examples ?? []) {
      const named = [...command.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, flag]) => flag)
      expect(known, command).toEqual(expect.arrayContaining(named))
      for (const flag of doc.flags.filter(isMarked)) expect(command).toContain(`--${flag.name}`)
    }
  }
})

it("a flag that must be given is marked, and no other", async () => {
  const create = await helpOf(["keys", "create"])
  expect(create.flags.filter(isMarked).map(({ name }) => name)).toEqual(["mode"])
  const docs = await commandsUnder([])
  const single = docs.flatMap(({ flags }) => flags.filter(({ required }) => required))
  // These may be given several times, or not at all.
  expect(
    single
      .filter((flag) => !isMarked(flag))
      .map(({ name }) => name)
      .toSorted()
  ).toEqual(["event", "scope", "scope", "type"])
})

it("choices that are taken in capitals and small letters are named once, in the help and in an error", async () => {
  const { flags } = await helpOf(["keys", "create"])
  const mode = flags.find(({ name }) => name === "mode")
  expect(Option.getOrThrow(mode?.description ?? Option.none())).toContain("(choices: LIVE, TEST)")
  const { formatErrors } = formatterWith(() => "")
  const expected = '"live" | "LIVE" | "test" | "TEST"'
  const error = new CliError.InvalidValue({ option: "mode", value: "prod", expected, kind: "argument" })
  expect(formatErrors([error])).toContain('"prod". Expected: "live" | "test"')
})

it("an example whose answer goes to a file or a program keeps npm's heading out of it", async () => {
  const docs = await commandsUnder([])
  const examples = docs.flatMap((doc) => doc.examples ?? []).map(({ command }) => command)
  const read = examples.filter((command) => / > |--json/.test(command))
  expect(read).toContainEqual(expect.stringMatching(/erasure-proof .* > erased\.json$/))
  for (const command of read) expect(command).toMatch(/^npm run -s journeys -- /)
})

it("no text of a flag or of a command has a line that no terminal shows whole", async () => {
  const docs = await commandsUnder([])
  const ofFlags = docs
    .flatMap(({ flags }) => flags)
    .map(({ description }) => Option.getOrElse(description, () => "").replace(/ \(choices: .*\)$/, ""))
  const texts = docs.map(({ description }) => description).concat(ofFlags)
  const lines = texts.flatMap((text) => text.split("\n"))
  expect(lines.filter((line) => line.length > longestLine)).toEqual([])
  const create = await helpOf(["operator-tokens", "create"])
  for (const scope of OperatorScope.literals) expect(create.description).toContain(`\n    ${scope}: `)
})

/** The filters of an operation as flags: its parameters but the journey's id are named as the parameters are. */
const filtersOf = (operation: keyof typeof settings.endpoints): ReadonlyArray<string> => {
  const ast = settings.endpoints[operation].query?.ast
  if (ast?._tag !== "Objects") throw new Error(`${operation} asks for nothing`)
  const names = ast.propertySignatures.map(({ name }) => String(name))
  return names.map((name) => (name === "journeyId" ? "journey" : name.replace(/[A-Z]/, "-$&").toLowerCase()))
}

it.each([
  ["journeys list", "listCompanyJourneys"],
  ["reviews list", "listReviews"],
  ["requests", "listCompanyRequests"],
  ["webhooks deliveries", "listDeliveries"],
  ["audit", "listChanges"],
  ["mail list", "listMail"],
  ["vehicles list", "listVehicles"],
  ["wallets ledger", "listLedger"],
  ["companies list", "listCompanies"]
] as const)("%s has a flag for each parameter of %s", async (command, operation) => {
  const { flags } = await helpOf(command.split(" "))
  expect(flags.map(({ name }) => name).toSorted()).toEqual(filtersOf(operation).toSorted())
  expect(flags.filter(({ description }) => Option.getOrElse(description, () => "").length < 10)).toEqual([])
})

it("a flag that is a parameter of an operation has the parameter's words and its default", async () => {
  const { flags } = await helpOf(["reviews", "list"])
  const mode = flags.find(({ name }) => name === "mode")
  expect(mode?.description).toEqual(
    Option.some("Reviews of live journeys, or of test ones; left out, LIVE (choices: LIVE, TEST)")
  )
})
