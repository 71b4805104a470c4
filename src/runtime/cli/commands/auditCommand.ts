/** `journeys audit`: who changed or looked at what, with filters; and whether the log is still what was written. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { everyPage } from "../frame/everyPage.ts"
import { companyArgument, given, piece, textFlag } from "../frame/parameters.ts"
import { printPiece, printWithList } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient, type SettingsData } from "../frame/SettingsClient.ts"

type Check = SettingsData<"checkAudit">

/** All lines of one company's log, piece after piece, up to the first that does not hold. */
const checkedLog = Effect.fnUntraced(function* (
  companyId: string,
  from: { readonly number?: number; readonly hash?: string }
) {
  const client = yield* SettingsClient
  let checked = 0
  let query = from
  while (true) {
    const found: Check = yield* client.call("checkAudit", { params: { companyId }, query })
    checked += found.checked
    const { hash, number } = found
    if (found.isEnd || found.broken !== null || number === null || hash === null) {
      return { company: companyId, checked, number, hash, broken: found.broken }
    }
    query = { number, hash }
  }
})

const everyCompany = Effect.gen(function* () {
  const client = yield* SettingsClient
  const companies = yield* everyPage((page) => client.call("listCompanies", { query: { page, size: largestPageSize } }))
  return companies.map(({ id }) => id)
})

const verify = Command.make(
  "verify",
  {
    company: companyArgument.pipe(Argument.optional),
    number: Flag.Int("number").pipe(
      Flag.withDescription("Begin after this line, as an earlier check has said"),
      Flag.optional
    ),
    hash: textFlag("hash", "What the hash of that line was then")
  },
  Effect.fn("audit verify")(function* ({ company, hash, number }) {
    if (Option.isNone(company) && (Option.isSome(number) || Option.isSome(hash))) {
      return yield* new CommandFailed({ message: "--number and --hash are of one company's line: name the company" })
    }
    const companies = Option.isSome(company) ? [company.value] : yield* everyCompany
    const logs = yield* Effect.forEach(companies, (one) => checkedLog(one, given({ number, hash })))
    const broken = logs.filter((log) => log.broken !== null)
    yield* printWithList({ thing: { holds: broken.length === 0, logs }, list: { name: "logs", entries: logs } }, [
      ["COMPANY", (one) => one.company],
      ["LINES", (one) => one.checked],
      ["LAST", (one) => one.number],
      ["HASH", (one) => one.hash],
      ["BROKEN AT", (one) => (one.broken === null ? null : `${one.broken.number} ${one.broken.reason}`)]
    ])
    if (broken.length > 0) {
      return yield* new CommandFailed({ message: `the audit log of ${broken.length} of ${logs.length} does not hold` })
    }
  })
).pipe(
  Command.withDescription(
    "Check that no line of the audit log was changed or taken out, of one company or of all of them"
  )
)

export const auditCommand = Command.make(
  "audit",
  {
    company: companyArgument,
    ...queryFlags("listChanges"),
    ...piece
  },
  Effect.fn("audit")(function* ({ company, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), size }
    const found = yield* client.call("listChanges", { params: { companyId: company }, query })
    yield* printPiece(found, [
      ["AT", (one) => one.at],
      ["ACTOR", (one) => one.actor],
      ["FROM", (one) => one.ipAddress],
      ["ACTION", (one) => one.action],
      ["DETAILS", (one) => one.details]
    ])
  })
).pipe(Command.withDescription("Who changed or looked at what, newest first"), Command.withSubcommands([verify]))
