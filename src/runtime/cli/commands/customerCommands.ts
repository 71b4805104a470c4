/** `journeys customers`: what can be done about a person whose data the service has. */
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Fs from "node:fs/promises"
import { provenStatement } from "../../../actors/erasure/proofSignature.ts"
import { CustomerCorrection } from "../../../schema/customer/CustomerCorrection.ts"
import { ErasureProofResource } from "../../../schema/erasure/ErasureProof.ts"
import { fileProblem } from "../../files/fileProblem.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { optionalFlags } from "../frame/modelFlags.ts"
import { companyArgument, given, journeyArgument, textFlag } from "../frame/parameters.ts"
import { confirmed } from "../frame/confirmed.ts"
import { printOne, printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const erase = Command.make(
  "erase",
  {
    company: companyArgument,
    customer: Argument.String("customer").pipe(
      Argument.withDescription("The customerReference of journeys and events")
    ),
    yes: Flag.Boolean("yes").pipe(Flag.withDefault(false), Flag.withDescription("Do not ask first, also in a terminal"))
  },
  Effect.fn("customers erase")(function* ({ company, customer, yes }) {
    const client = yield* SettingsClient
    if (!yes) {
      yield* confirmed(
        `Erase customer ${customer}? Their running journeys are cancelled, and what is personal of them is gone for good.`,
        "Nothing was erased"
      )
    }
    const params = { companyId: company, customerReference: customer }
    yield* printOne(yield* client.call("eraseCustomer", { params }))
  })
).pipe(
  Command.withDescription(
    "Cancel the customer's running journeys and erase everything personal of them, for good; safe to repeat"
  )
)

const correct = Command.make(
  "correct",
  {
    company: companyArgument,
    customer: Argument.String("customer").pipe(
      Argument.withDescription("The customerReference of journeys and events")
    ),
    ...optionalFlags(CustomerCorrection)
  },
  Effect.fn("customers correct")(function* ({ company, customer, ...fields }) {
    const client = yield* SettingsClient
    const params = { companyId: company, customerReference: customer }
    yield* printOne(yield* client.call("correctCustomer", { params, payload: given(fields) }))
  })
).pipe(
  Command.withDescription(
    "Correct what the journeys of a customer say of them; another address ends their links and mails a new one"
  )
)

const sessions = Command.make(
  "sessions",
  { company: companyArgument, journey: journeyArgument },
  Effect.fn("customers sessions")(function* ({ company, journey: journeyId }) {
    const client = yield* SettingsClient
    const entries = yield* client.call("listCustomerSessions", { params: { companyId: company, journeyId } })
    yield* printWithList({ thing: { journey: journeyId, sessions: entries }, list: { name: "sessions", entries } }, [
      ["ID", (one) => one.id],
      ["OPENED BY", (one) => one.openedBy],
      ["OPENED", (one) => one.openedAt],
      ["SEEN", (one) => one.seenAt]
    ])
  })
).pipe(Command.withDescription("List where the customer of a journey is signed in, last seen first"))

const endSession = Command.make(
  "end-session",
  {
    company: companyArgument,
    journey: journeyArgument,
    session: Argument.String("session").pipe(Argument.withDescription("The session's id"))
  },
  Effect.fn("customers end-session")(function* ({ company, journey: journeyId, session }) {
    const client = yield* SettingsClient
    const params = { companyId: company, journeyId, customerSessionId: session }
    yield* printOne(yield* client.call("endCustomerSession", { params }))
  })
).pipe(Command.withDescription("End a customer's session at once"))

const erasureProof = Command.make(
  "erasure-proof",
  {
    company: companyArgument,
    customer: Argument.String("customer").pipe(Argument.withDescription("The customerReference of journeys and events"))
  },
  Effect.fn("customers erasure-proof")(function* ({ company, customer }) {
    const client = yield* SettingsClient
    const params = { companyId: company, customerReference: customer }
    // A file is what it is for, so it is JSON for a person too.
    yield* Console.log(JSON.stringify(yield* client.call("getErasureProof", { params }), null, 2))
  })
).pipe(Command.withDescription("Print the signed proof of an erasure as JSON, to be kept as a file"))

const ProofFile = Schema.fromJsonString(ErasureProofResource)

const checkProof = Command.make(
  "check-proof",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A proof that erasure-proof has printed")),
    key: textFlag("key", "The installation's public key (publicKey.x), from where you trust it")
  },
  Effect.fn("customers check-proof")(function* ({ file, key }) {
    const refused = (problem: string) => new CommandFailed({ message: `${file} ${problem}` })
    const text = yield* Effect.tryPromise({
      try: () => Fs.readFile(file, "utf8"),
      catch: (cause) => refused(`cannot be read: ${fileProblem(cause)}`)
    })
    const proof = yield* Effect.mapError(Schema.decodeEffect(ProofFile)(text), () =>
      refused("is not a proof of an erasure")
    )
    if (Option.isSome(key) && key.value !== proof.publicKey.x) return yield* refused("is signed with another key")
    const statement = provenStatement(proof)
    if (statement === null) return yield* refused("is not what was signed")
    yield* printOne({ ...statement, journeys: statement.journeys.join(" "), signedWith: proof.publicKey.x })
  })
).pipe(Command.withDescription("Check the signature of a proof, and print what was signed"))

export const customersCommand = Command.make("customers").pipe(
  Command.withDescription("Customers of a company"),
  Command.withSubcommands([correct, sessions, endSession, erase, erasureProof, checkProof])
)
