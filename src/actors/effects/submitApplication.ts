/**
 * The effect SUBMIT_APPLICATION: one attempt to submit a journey's application to the finance panel. The attempt answers
 * with the message that tells the journey the result, and fails when another attempt may succeed.
 *
 * | what happens                                        | result                               |
 * |-----------------------------------------------------|--------------------------------------|
 * | the panel takes the application                     | PanelAccepted                        |
 * | the company has no panel any more                   | PanelFailed, PANEL_NOT_CONFIGURED    |
 * | the stored start does not make an application       | PanelFailed, SUBMISSION_ERROR        |
 * | the panel refuses                                   | EffectFailed, definite               |
 * | nobody knows whether the panel has the application  | EffectFailed, not definite           |
 */
import { Clock, Effect, Result } from "effect"
import { CompanyStore } from "../company/CompanyStore.ts"
import { checkPossible, panelOf } from "../company/providers.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"
import { FinancePanel } from "./FinancePanel.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { panelApplication } from "../journey/rules/panelApplication.ts"
import { PersonalRecords } from "../customer/PersonalRecords.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import { requestIdsOf } from "./requestIds.ts"
import { Vault } from "../kernel/Vault.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { failingForNow } from "./failingForNow.ts"

export const submitApplication = Effect.fn("providers.submitApplication")(function* (
  journey: Pick<Journey, "id" | "companyId">,
  serial: number
): Effect.fn.Return<
  JourneyMessage,
  EffectFailed,
  CompanyStore | FinancePanel | PersonalRecords | ProviderRequests | Vault
> {
  const vault = yield* Vault
  const companies = yield* CompanyStore
  const company = yield* failingForNow(companies.find(journey.companyId))
  const provider = company === null ? null : yield* failingForNow(panelOf(vault, company))
  if (company === null || provider === null) return { _tag: "PanelFailed", reason: "PANEL_NOT_CONFIGURED" }

  const records = yield* PersonalRecords
  const application = panelApplication(yield* failingForNow(records.read(journey.id)))
  if (Result.isFailure(application)) return { _tag: "PanelFailed", reason: "SUBMISSION_ERROR" }

  const ids = requestIdsOf(vault, "SUBMIT_APPLICATION", journey.id, serial)
  const requests = yield* ProviderRequests
  const request = { kind: "FINANCE", journeyId: journey.id, companyId: company.id } as const
  const submissionId = yield* failingForNow(requests.begin(ids, request, yield* Clock.currentTimeMillis))

  const panel = yield* FinancePanel
  return yield* panel
    .submit({ submissionId, journeyId: journey.id, panel: provider, application: application.success })
    .pipe(
      Effect.as<JourneyMessage>({ _tag: "PanelAccepted", check: checkPossible(company) }),
      Effect.catchTags({
        PanelRefused: ({ status }) => Effect.fail(new EffectFailed({ definite: true, reason: `HTTP_${status}` })),
        PanelUnreachable: ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason }))
      })
    )
})
