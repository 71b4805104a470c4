/** The wallets of a company: what is in them, what running journeys hold of it, and the ledger of each. Credits are added by the operator. */
import { Effect } from "effect"
import { WalletName } from "../../../schema/company/Wallet.ts"
import { walletOperations } from "../../api/wallets.ts"
import { ask } from "../../server/ask.ts"
import { pathPart } from "../../server/pathPart.ts"
import { html, type Shown } from "../../server/html.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { listTable, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pageQuery.ts"
import { listedWords } from "../words/listedWords.ts"
import { shownTime } from "../../server/shownTime.ts"

const path = "/console/wallets"

const howToGet = ({ asker }: CompanyUser): Shown =>
  asker._tag === "Operator"
    ? html`<p>
        Add credits with <code>npm run journeys -- wallets credit</code>: a positive number and a note, such as the
        number of an invoice.
      </p>`
    : html`<p>
        The operator of this service adds credits: ask there, and name the wallet and the number. What is added stands
        in the wallet's ledger at once.
      </p>`

const showWallets = (user: CompanyUser) =>
  Effect.gen(function* () {
    const { content } = yield* ask(walletOperations, "listWallets", { path: user.path })
    return yield* showPage(user, {
      heading: "Wallets",
      content: html`<p>
          A credit pays for one application to a finance panel, or for one identity check. A live start holds a credit
          for each check; the credit is charged when the check is asked for. Test journeys cost nothing.
        </p>
        ${listTable({
          caption: "Credits",
          head: ["Wallet", "Balance", "Held by running journeys", "Free", "Ledger"],
          empty: null,
          rows: content.map(({ balance, held, wallet }) => [
            listedWords.wallets[wallet],
            balance,
            held,
            html`<strong>${balance - held}</strong>`,
            html`<a href="${path}/${wallet}">Ledger of ${listedWords.wallets[wallet].toLowerCase()}</a>`
          ])
        })}
        <h2>How to get credits</h2>
        ${howToGet(user)}`
    })
  })

const isWallet = (text: string): text is WalletName => WalletName.literals.some((name) => name === text)

const showLedger = (user: CompanyUser) =>
  Effect.gen(function* () {
    const wallet = yield* pathPart("wallet")
    const { content, next } = yield* ask(walletOperations, "listLedger", {
      path: { ...user.path, wallet },
      query: { cursor: pageQuery(user)("cursor") }
    })
    const label = isWallet(wallet) ? listedWords.wallets[wallet] : wallet
    return yield* showPage(user, {
      heading: `Ledger: ${label.toLowerCase()}`,
      content: html`<p><a href="${path}">All wallets</a></p>
        ${listTable({
          caption: "Credits added and charged, the newest first",
          head: ["When", "Credits", "Journey", "Note"],
          empty: html`<p>No credit was added or charged yet.</p>
            ${howToGet(user)}`,
          rows: content.map(({ amount, at, journeyId, note }) => [
            shownTime(at),
            amount > 0 ? `+${amount}` : amount,
            journeyId === null ? "–" : html`<a href="/console/journeys/${journeyId}"><code>${journeyId}</code></a>`,
            html`<bdi>${note}</bdi>`
          ]),
          next: next === null ? null : withQuery(`${path}/${wallet}`, { cursor: next })
        })}`
    })
  })

export const walletRoutes = [
  { method: "GET", path, handle: companyPage(showWallets) },
  { method: "GET", path: `${path}/:wallet`, handle: companyPage(showLedger) }
] as const
