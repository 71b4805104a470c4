/**
 * The identity check that a journey asks of its customer now, with everything that working on the check takes. It says by
 * which way the check is done; it changes nothing.
 */
import { Effect } from "effect"
import { CompanyStore } from "../../company/CompanyStore.ts"
import { hasAgreed } from "../../journey/rules/state/consent.ts"
import { isPageAwaited } from "../../journey/rules/state/identity.ts"
import { stepAskedOf } from "../../journey/rules/state/waiting.ts"
import { JourneyStore } from "../../journey/actor/JourneyStore.ts"
import { customerKeyOf, Vault } from "../../kernel/Vault.ts"
import { askedCheckOf, IdentityChecks } from "./IdentityChecks.ts"
import type { JourneyId } from "../../../schema/ids.ts"

const builtIn = { kind: "BUILT_IN" } as const

export const makeOpenIdentityCheck = Effect.gen(function* () {
  const journeys = yield* JourneyStore
  const companies = yield* CompanyStore
  const checks = yield* IdentityChecks
  const vault = yield* Vault

  /** Null when the journey does not ask for the check, the company has no provider, or the customer was erased. */
  return Effect.fnUntraced(function* (journeyId: JourneyId) {
    const loaded = yield* Effect.catchTag(journeys.load(journeyId), "JourneyUnreadable", Effect.die)
    const journey = loaded?.journey
    if (journey === undefined || stepAskedOf(journey) !== "VERIFY_IDENTITY") return null
    const company = yield* companies.find(journey.companyId)
    const customer = yield* Effect.catchTag(journeys.customerKey(journeyId, journey), "JourneyUnreadable", Effect.die)
    // The sandbox needs no provider, and asks none: the photos of a test journey are judged here (S7).
    const provider = journey.livemode ? company?.identityProvider : builtIn
    if (company === null || provider == null || customer === null) return null
    const asked = askedCheckOf(journey)
    const isOutside = provider.kind === "HTTP"
    const page = isOutside ? yield* checks.page(asked) : null
    // The customer may have been asked before the company set up its outside provider: nobody starts that check at the
    // provider any more, so the built-in check is used. A check that the provider was asked for is never made here.
    const isAtProvider = page !== null || isPageAwaited(journey) || (isOutside && (yield* checks.isAtProvider(asked)))
    return {
      asked,
      page,
      hasAgreed: hasAgreed(journey, "identity"),
      least: company.assurance,
      kind: isAtProvider ? provider.kind : "BUILT_IN",
      isTest: !journey.livemode,
      key: yield* customerKeyOf(vault, customer.wrappedKey)
    }
  })
})
