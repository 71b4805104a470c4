/**
 * One attempt to hand a journey's application in: everything around the panel itself. It answers with the message that
 * tells the journey what came of it, and fails where another attempt may come to something else.
 *
 * | what                                   | outcome                              |
 * |----------------------------------------|--------------------------------------|
 * | taken                                  | PanelAccepted                        |
 * | the panel's settings are gone          | PanelFailed, PANEL_NOT_CONFIGURED    |
 * | no application can be made of it       | PanelFailed, SUBMISSION_ERROR        |
 * | the panel refused                      | PanelFailed, PANEL_ERROR             |
 * | nobody knows                           | EffectFailed, not definite           |
 */
import { Clock, Effect, Result } from "effect"
import { CompanyStore } from "../company/CompanyStore.ts"
import { checkPossible, panelOf } from "../company/providers.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"
import { FinancePanel } from "./FinancePanel.ts"
import { derivedId } from "../journey/rules/derivedId.ts"
import type { Journey } from "../journey/rules/Journey.ts"
import { panelApplication } from "../journey/rules/panelApplication.ts"
import { PersonalRecords } from "../customer/PersonalRecords.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import { Vault } from "../kernel/Vault.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { orAgain } from "./orAgain.ts"

/** The same for every attempt at one piece of owed work. */
export const submissionIdOf = (vault: Vault["Service"], journeyId: string, serial: number): string =>
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
  const company = yield* orAgain(companies.find(journey.companyId))
  const provider = company === null ? null : yield* orAgain(panelOf(vault, company))
  if (company === null || provider === null) return { _tag: "PanelFailed", reason: "PANEL_NOT_CONFIGURED" }

  const records = yield* PersonalRecords
  const application = panelApplication(yield* orAgain(records.read(journey.id)))
  if (Result.isFailure(application)) return { _tag: "PanelFailed", reason: "SUBMISSION_ERROR" }

  const submissionId = submissionIdOf(vault, journey.id, serial)
  const requests = yield* ProviderRequests
  const request = { kind: "FINANCE", id: submissionId, journeyId: journey.id, companyId: company.id } as const
  yield* orAgain(requests.begin(request, yield* Clock.currentTimeMillis))

  const panel = yield* FinancePanel
  return yield* panel
    .submit({ submissionId, journeyId: journey.id, panel: provider, application: application.success })
    .pipe(
      Effect.as<JourneyMessage>({ _tag: "PanelAccepted", check: checkPossible(company) }),
      Effect.catchTags({
        PanelRefused: ({ status }) =>
          Effect.as(Effect.logWarning("The finance panel refused an application", { journeyId: journey.id, status }), {
            _tag: "PanelFailed",
            reason: "PANEL_ERROR"
          } satisfies JourneyMessage as JourneyMessage),
        PanelUnreachable: ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason }))
      })
    )
})
