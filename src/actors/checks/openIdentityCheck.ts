/**
 * The identity check that a journey asks of its customer now, with everything that working on the check takes. It says by
 * which way the check is done; it changes nothing.
 */
import { Effect } from "effect"
import { CompanyStore } from "../company/CompanyStore.ts"
import { stepAskedOf } from "../journey/rules/waiting.ts"
import { JourneyStore } from "../journey/actor/JourneyStore.ts"
import { Vault } from "../kernel/Vault.ts"
import { askedCheckOf, IdentityChecks } from "./IdentityChecks.ts"

export const makeOpenIdentityCheck = Effect.gen(function* () {
  const journeys = yield* JourneyStore
  const companies = yield* CompanyStore
  const checks = yield* IdentityChecks
  const vault = yield* Vault

  /** Null when no live journey asks for the check, the company has no provider, or the customer was erased. */
  return Effect.fnUntraced(function* (journeyId: string) {
    const loaded = yield* Effect.catchTag(journeys.load(journeyId), "JourneyUnreadable", Effect.die)
    const journey = loaded?.journey
    if (journey === undefined || !journey.livemode || stepAskedOf(journey) !== "VERIFY_IDENTITY") return null
    const company = yield* companies.find(journey.companyId)
    const customer = yield* Effect.catchTag(journeys.customerKey(journeyId, journey), "JourneyUnreadable", Effect.die)
    if (company?.identityProvider == null || customer === null) return null
    const asked = askedCheckOf(journey)
    const page = company.identityProvider.kind === "HTTP" ? yield* checks.page(asked) : null
    // The journey asked for the check before the company set up its outside provider: nobody starts that check at the
    // provider any more, so the built-in check is used.
    const isBuiltIn = page === null && journey.owed.every(({ kind }) => kind !== "START_IDENTITY_CHECK")
    return {
      asked,
      page,
      kind: isBuiltIn ? "BUILT_IN" : company.identityProvider.kind,
      key: yield* Effect.orDie(vault.keyOf(customer.wrappedKey))
    }
  })
})
