/** A company's wallets: what is in them, credits that the operator adds, and the ledger of a wallet. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { derivedId } from "../../../actors/journey/rules/derivedId.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import {
  CreditsBody,
  LedgerEntryResource,
  ledgerEntryResource,
  WalletName,
  WalletResource
} from "../../../schema/company/Wallet.ts"
import { exampleOf } from "../../../schema/model.ts"
import { naming, PageQuery, pieceQuery, SerialCursor, spanOf, spanQuery } from "../../../schema/decoding/parameters.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer, pieceAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { KeyOfPage } from "../../server/endpoints/ask.ts"
import { pageAsked, pageOf, pieceAsked } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { ofRepeating, optionalIdempotencyKey, repeatable, replayed } from "../frame/asCaller.ts"
import { auditLine, changing } from "../frame/change.ts"
import { companyPath, companyAsked, ofCompany, pages, pieces } from "../frame/ofCompany.ts"

const path = `${companyPath}/wallets` as const
const ofWallet = { ...ofCompany, wallet: WalletName.annotate({ description: "Which wallet", ...naming("wallet") }) }
const example = exampleOf(WalletResource)
const creditsAdded = "Credits added"

const listWallets = HttpApiEndpoint.get("listWallets", path, {
  params: ofCompany,
  query: PageQuery,
  success: pages("WalletPage", WalletResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List wallets",
    allowedTo: "TEAM",
    description: "What pays for applications and identity checks; `held` is promised to running journeys.",
    answer: pageAnswer("Wallets", { wallet: "APPLICATION", balance: 40, held: 0 } satisfies WalletResource, example)
  })
)

const addCredits = HttpApiEndpoint.post("addCredits", `${path}/:wallet/credits`, {
  params: ofWallet,
  headers: repeatable,
  payload: CreditsBody,
  success: answerOf("WalletAnswer", WalletResource).pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyCompany, ...ofAnyBody, ...ofRepeating)
}).annotateMerge(
  described({
    summary: "Add credits",
    description:
      "A whole number of credits; a check costs one. A request that is repeated with the same Idempotency-Key, such as the invoice's number, adds nothing: it answers the wallet as it is now.",
    request: jsonExample("A hundred credits", exampleOf(CreditsBody)),
    answer: answer("The wallet with the credits in it", creditsAdded, example)
  })
)

const LedgerQuery = Schema.Struct({ ...spanQuery, ...pieceQuery(SerialCursor) })

const listLedger = HttpApiEndpoint.get("listLedger", `${path}/:wallet/ledger`, {
  params: ofWallet,
  query: LedgerQuery,
  success: pieces("LedgerPage", LedgerEntryResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List a wallet's ledger",
    allowedTo: "TEAM",
    description:
      "Credits bought, and credits charged for journeys, the newest first; the amounts of all of them add up to the balance. Go on with `next` as `cursor` until it is null.",
    answer: pieceAnswer("Ledger", exampleOf(LedgerEntryResource))
  })
)

export const walletOperations = operatorResource([listWallets, addCredits, listLedger], {
  listWallets: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const page = pageAsked(yield* asked.query)
      const store = yield* WalletStore
      const all = yield* store.wallets(id)
      const content = all.slice(page.page * page.size, (page.page + 1) * page.size)
      return pageOf(page, { content, totalElements: all.length }, (wallet) => wallet)
    }),

  addCredits: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const wallet = yield* asked.path("wallet")
      const key = (yield* KeyOfPage) ?? (yield* optionalIdempotencyKey(asked.request))
      const { amount, note } = yield* asked.body
      const store = yield* WalletStore
      const line = yield* auditLine("wallet.credited", { wallet, amount })
      const creditId = key === null ? (yield* Ids).next() : derivedId(yield* Vault, "credit", id, key)
      const credited = yield* changing(store.credit(id, { id: creditId, wallet, amount, note }, line))
      if (credited === null) return yield* problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key")
      return credited.isNew ? credited.wallet : success(201, credited.wallet, creditsAdded, replayed)
    }),

  listLedger: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const wallet = yield* asked.path("wallet")
      const query = yield* asked.query
      const store = yield* WalletStore
      const { content, next } = yield* store.ledger(id, { wallet, span: spanOf(query) }, pieceAsked(query))
      return { content: content.map(ledgerEntryResource), next }
    })
})
