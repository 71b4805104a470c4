/**
 * A company's wallets, which pay for checks, and their ledger. Holding and charging credits for a journey is the work of
 * the journeys' store.
 */
import { Effect, Schema } from "effect"
import { SerialColumn, WholeColumn } from "../bigints.ts"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, ModelField, withExample, named } from "../model.ts"
import { momentField } from "../moment.ts"
import { wholeNumber } from "../decoding/numbers.ts"
import { text } from "../decoding/text.ts"
import { companyLimits } from "./limits.ts"

const { largestCredit, longestCreditNote } = companyLimits

/** One wallet pays for applications to a panel, the other for identity checks. */
export const WalletName = Schema.Literals(["APPLICATION", "IDENTITY"])
export type WalletName = typeof WalletName.Type

const creditsField = (example: number) =>
  ModelField({
    row: WholeColumn.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
    shown: Schema.Int,
    resource: withExample(Schema.Int, example)
  })

/** `balance` counts credits bought and not yet charged; `held` is the part of the balance promised to running journeys. */
export class Wallet extends ModelClass<Wallet>("Wallet")({
  wallet: fixedField(WalletName, { example: "IDENTITY" }),
  balance: creditsField(120),
  held: creditsField(3)
}) {}

export const WalletResource = named(Wallet.resource, "Wallet")
export type WalletResource = typeof WalletResource.Type

const note = text(longestCreditNote)

/** A line of a wallet's ledger: credits bought, or charged for a journey. The amounts add up to the balance. */
export class LedgerEntry extends ModelClass<LedgerEntry>("LedgerEntry")({
  id: ModelField({
    row: SerialColumn,
    shown: Schema.String,
    resource: withExample(Schema.String, exampleId("ledgerEntry", 2))
  }),
  amount: ModelField({
    row: WholeColumn,
    shown: Schema.Int,
    resource: withExample(Schema.Int, -1),
    create: withExample(wholeNumber(1, largestCredit), 100)
  }),
  journeyId: fixedField(Schema.NullOr(Schema.String), { example: exampleId("journey", 1) }),
  note: ModelField({
    row: Schema.String,
    shown: Schema.String,
    resource: withExample(Schema.String, "Identity check"),
    create: withExample(note, "Invoice 2026-118")
  }),
  at: momentField("2026-01-15T10:31:07.218Z")
}) {}

export const LedgerEntryResource = named(LedgerEntry.resource, "LedgerEntry")
export type LedgerEntryResource = typeof LedgerEntryResource.Type

export const ledgerEntryResource: (entry: LedgerEntry) => LedgerEntryResource = Schema.encodeSync(LedgerEntry.shown)

/** Credits that the operator adds to a wallet. */
export const CreditsBody = named(LedgerEntry.create, "Credits")
export type CreditsBody = typeof CreditsBody.Type
