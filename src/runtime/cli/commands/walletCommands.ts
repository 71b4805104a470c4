/** `journeys wallets`: the credits that pay for checks. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { choiceArgument, companyArgument, given, piece, required, textFlag } from "../frame/parameters.ts"
import { printOne, printPage, printPiece } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { WalletName } from "../../../schema/company/Wallet.ts"

const wallet = choiceArgument("wallet", WalletName.literals, "Which wallet")

const show = Command.make(
  "show",
  { company: companyArgument },
  Effect.fn("wallets show")(function* (flags) {
    const client = yield* SettingsClient
    const found = yield* client.call("listWallets", { params: { companyId: flags.company }, query: {} })
    yield* printPage(found, [
      ["WALLET", (one) => one.wallet],
      ["BALANCE", (one) => one.balance],
      ["HELD", (one) => one.held]
    ])
  })
).pipe(Command.withDescription("Show what is in a company's wallets"))

const credit = Command.make(
  "credit",
  {
    company: companyArgument,
    wallet,
    amount: Argument.Int("amount").pipe(
      Argument.withDescription(`Credits to add, up to ${companyLimits.largestCredit}`)
    ),
    note: Flag.String("note").pipe(required("What for, such as an invoice number")),
    once: textFlag("once", "A text of your own, such as the invoice number: with the same one credits are added once")
  },
  Effect.fn("wallets credit")(function* ({ amount, company, note, once, wallet }) {
    const client = yield* SettingsClient
    const params = { companyId: company, wallet }
    const headers = given({ "Idempotency-Key": once })
    yield* printOne(yield* client.call("addCredits", { params, headers, payload: { amount, note } }))
  })
).pipe(Command.withDescription("Add credits"))

const ledger = Command.make(
  "ledger",
  { company: companyArgument, wallet, ...queryFlags("listLedger"), ...piece },
  Effect.fn("wallets ledger")(function* ({ company, size, wallet, ...asked }) {
    const client = yield* SettingsClient
    const query = { ...given(asked), size }
    const found = yield* client.call("listLedger", { params: { companyId: company, wallet }, query })
    yield* printPiece(found, [
      ["AT", (one) => one.at],
      ["AMOUNT", (one) => one.amount],
      ["JOURNEY", (one) => one.journeyId],
      ["NOTE", (one) => one.note]
    ])
  })
).pipe(Command.withDescription("List a wallet's entries, newest first"))

export const walletsCommand = Command.make("wallets").pipe(
  Command.withDescription("Wallets of a company"),
  Command.withSubcommands([show, credit, ledger])
)
