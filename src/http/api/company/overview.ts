/** The overview of a company: what is done, what waits, what fails and what runs out, in one answer. */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CompanyOverview } from "../../../actors/company/CompanyOverview.ts"
import { WalletStore } from "../../../actors/company/WalletStore.ts"
import { exampleOverview, OverviewResource } from "../../../schema/company/Overview.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { companyAsked, companyPath, ofCompany } from "../frame/ofCompany.ts"

const getOverview = HttpApiEndpoint.get("getOverview", `${companyPath}/overview`, {
  params: ofCompany,
  success: answerOf("OverviewAnswer", OverviewResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a company's overview",
    allowedTo: "TEAM",
    description:
      "Which first steps are done, how many running journeys wait on what, open reviews, webhook endpoints that fail or are off, credits, and the last events. Numbers are counted up to a bound.",
    answer: answer("The overview", "Overview", exampleOverview)
  })
)

export const overviewOperations = operatorResource([getOverview], {
  getOverview: (asked) =>
    Effect.gen(function* () {
      const company = yield* companyAsked(asked)
      const overview = yield* CompanyOverview
      const store = yield* WalletStore
      const { firstSteps, ...facts } = yield* overview.read(company.id)
      const wallets = yield* store.wallets(company.id)
      return {
        firstSteps: {
          ...firstSteps,
          identityProvider: company.identityProvider !== null,
          financePanel: company.financePanel !== null,
          credits: wallets.some(({ balance }) => balance > 0)
        },
        ...facts,
        wallets: wallets.map(({ balance, held, wallet }) => ({ wallet, balance, held }))
      }
    })
})
