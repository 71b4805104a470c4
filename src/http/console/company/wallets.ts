/**
 * The wallets of a company: what is in them, what running journeys hold of it, and the ledger of each, for the days that are
 * asked about, on a page and as a file. Credits are added by the operator.
 */
import { Effect } from "effect"
import { LedgerEntryResource, WalletName } from "../../../schema/company/Wallet.ts"
import { walletOperations } from "../../api/company/wallets.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { companyPage, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { csvFile } from "../frame/csvFile.ts"
import { dayFields, daysIn, fewerDays, spanOfDays } from "../frame/days.ts"
import { asFirstShown, formOf, orShownAgain, statusWith, type ConsoleFormState } from "../frame/forms.ts"
import { listTable, saveAsFile, unfiltered, withQuery } from "../frame/lists.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { listedWords } from "../words/listedWords.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

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

/** The ledger that the address asks for: its wallet and its days. */
const ledgerAsked = (user: CompanyUser) =>
  Effect.map(pathPart("wallet"), (wallet) => {
    const days = daysIn(pageQuery(user))
    return {
      wallet,
      days,
      label: (isWallet(wallet) ? listedWords.wallets[wallet] : wallet).toLowerCase(),
      piece: (place: { readonly cursor: string | undefined; readonly size?: number }) =>
        ask(walletOperations, "listLedger", {
          path: { ...user.path, wallet },
          query: { ...spanOfDays(days), ...place }
        })
    }
  })

const showLedger = (user: CompanyUser, refused: ConsoleFormState = asFirstShown) =>
  Effect.gen(function* () {
    const { days, label, piece, wallet } = yield* ledgerAsked(user)
    const found = yield* orShownAgain(piece({ cursor: pageQuery(user)("cursor") }), new URLSearchParams({ ...days }))
    const { content, next, state } =
      "state" in found ? { ...found, content: [], next: null } : { ...found, state: refused }
    const its = `${path}/${wallet}`
    const all = unfiltered(its, { ...days })
    return yield* showPage(user, {
      heading: `Ledger: ${label}`,
      status: statusWith(state),
      content: html`<p><a href="${path}">All wallets</a></p>
        ${formOf(user, { id: "days", action: its, button: "Show", all, asks: true, isRow: true, state, fields: dayFields(days) })}
        ${listTable({
          caption: "Credits added and charged, the newest first",
          head: ["When", "Credits", "Journey", "Note"],
          empty:
            all === null
              ? html`<p>No credit was added or charged yet.</p>
                  ${howToGet(user)}`
              : html`<p>No credit was added or charged then. <a href="${its}">Show all</a></p>`,
          rows: content.map(({ amount, at, journeyId, note }) => [
            shownTime(at),
            amount > 0 ? `+${amount}` : amount,
            journeyId === null ? "–" : html`<a href="/console/journeys/${journeyId}"><code>${journeyId}</code></a>`,
            html`<bdi>${note}</bdi>`
          ]),
          next: next === null ? null : withQuery(its, { ...days, cursor: next })
        })}
        ${content.length > 0 && saveAsFile(withQuery(`${its}/ledger.csv`, { ...days }))}`
    })
  })

const saveLedger = (user: CompanyUser) =>
  Effect.flatMap(ledgerAsked(user), ({ days, label, piece }) =>
    csvFile(
      {
        name: ["ledger", label, days.since, days.until],
        columns: Object.keys(LedgerEntryResource.fields),
        filters: { ...days },
        tooMany: fewerDays,
        pieceAt: piece
      },
      (state) => showLedger(user, state)
    )
  )

export const walletRoutes = [
  { method: "GET", path, handle: companyPage(showWallets) },
  { method: "GET", path: `${path}/:wallet`, handle: companyPage((user) => showLedger(user)) },
  { method: "GET", path: `${path}/:wallet/ledger.csv`, handle: companyPage(saveLedger) }
] as const
