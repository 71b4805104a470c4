/** A company's wallets: what is in them, credits added by the operator, and the ledger. */
import { Effect, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { success } from "../../server/problems.ts"
import { auditLine, changing } from "../change.ts"
import { notFound, pathCompany } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import { decodeCredits, ledgerEntryResource, WalletName } from "../../../schema/company/Wallet.ts"

const isWalletName = Schema.is(WalletName)

/** The wallet of the path; names are exact. */
const pathWallet = Effect.flatMap(HttpRouter.params, ({ wallet }) =>
  isWalletName(wallet) ? Effect.succeed(wallet) : Effect.fail(notFound("wallet"))
)

export const listWalletsEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/wallets")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* readPageQuery(request)
    const store = yield* WalletStore
    const wallets = yield* store.wallets(id)
    const content = wallets.slice(query.page * query.size, (query.page + 1) * query.size)
    return success(
      200,
      pageData(query, { content, totalElements: wallets.length }, (wallet) => wallet),
      "Wallets"
    )
  })
)

export const creditEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/wallets/{wallet}/credits")(function* (request) {
    const { id } = yield* pathCompany
    const wallet = yield* pathWallet
    const { amount, note } = yield* decoded(request, decodeCredits)
    const store = yield* WalletStore
    const line = yield* auditLine("wallet.credited", { wallet, amount })
    return success(201, yield* changing(store.credit(id, { wallet, amount, note }, line)), "Credits added")
  })
)

export const ledgerEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/wallets/{wallet}/ledger")(function* (request) {
    const { id } = yield* pathCompany
    const wallet = yield* pathWallet
    const query = yield* readPageQuery(request)
    const store = yield* WalletStore
    return success(200, pageData(query, yield* store.ledger(id, wallet, query), ledgerEntryResource), "Ledger")
  })
)
