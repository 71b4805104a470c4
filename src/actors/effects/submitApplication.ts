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
import { derivedId } from "../journey/rules/derivedId.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { panelApplication } from "../journey/rules/panelApplication.ts"
import { PersonalRecords } from "../customer/PersonalRecords.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import { Vault } from "../kernel/Vault.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { failingForNow } from "./failingForNow.ts"
import type { JourneyId } from "../../schema/ids.ts"

/** Every attempt at the same effect of a journey has the same id. */
export const submissionIdOf = (vault: Vault["Service"], journeyId: JourneyId, serial: number): string =>
  derivedId(vault, "SUBMIT_APPLICATION", journeyId, serial)

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

  const submissionId = submissionIdOf(vault, journey.id, serial)
  const requests = yield* ProviderRequests
  const request = { kind: "FINANCE", id: submissionId, journeyId: journey.id, companyId: company.id } as const
  yield* failingForNow(requests.begin(request, yield* Clock.currentTimeMillis))

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
