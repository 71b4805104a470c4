/**
 * One attempt to have a journey's identity check started: everything around the provider itself. A check made here needs
 * nothing started. It answers with the message that tells the journey what came of it, and fails where another attempt
 * may come to something else.
 */
import { Clock, Effect } from "effect"
import { CompanyStore } from "../company/CompanyStore.ts"
import { identityProviderOf } from "../company/providers.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"
import { derivedId } from "../journey/rules/derivedId.ts"
import { IdentityChecks, pagePlace } from "../checks/IdentityChecks.ts"
import { IdentityProvider } from "./IdentityProvider.ts"
import type { Journey } from "../journey/rules/Journey.ts"
import { JourneyStore } from "../journey/actor/JourneyStore.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import { Vault } from "../kernel/Vault.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { orAgain } from "./orAgain.ts"

/** The same for every attempt at one piece of owed work. */
export const checkIdOf = (vault: Vault["Service"], journeyId: string, serial: number): string =>
  derivedId(vault, "START_IDENTITY_CHECK", journeyId, serial)

/** `returnUrl`: where the provider sends the customer back to; null when this service's own address is not known. */
export const startIdentityCheck = Effect.fn("providers.startIdentityCheck")(function* (
  journey: Pick<Journey, "id" | "companyId" | "livemode" | "identity">,
  serial: number,
  returnUrl: string | null
): Effect.fn.Return<
  JourneyMessage,
  EffectFailed,
  CompanyStore | IdentityChecks | IdentityProvider | JourneyStore | ProviderRequests | Vault
> {
  const vault = yield* Vault
  const companies = yield* CompanyStore
  const company = yield* orAgain(companies.find(journey.companyId))
  if (company === null || company.identityProvider === null) {
    return { _tag: "IdentityUnavailable", reason: "EKYC_NOT_CONFIGURED" }
  }
  const done: JourneyMessage = { _tag: "OwedDone", serial }
  const provider = yield* orAgain(identityProviderOf(vault, company))
  if (provider === null) return done
  if (returnUrl === null) return yield* new EffectFailed({ definite: false, reason: "NO_BASE_URL" })

  const journeys = yield* JourneyStore
  const customer = yield* orAgain(journeys.customerKey(journey.id, journey))
  // Nobody is left to be checked.
  if (customer === null) return yield* new EffectFailed({ definite: true, reason: "CUSTOMER_ERASED" })
  const key = yield* orAgain(vault.keyOf(customer.wrappedKey))

  const checkId = checkIdOf(vault, journey.id, serial)
  const { identity } = journey
  const check = identity === null || identity.status === "NOT_ASKED" ? 0 : (identity.check ?? 0)
  const now = yield* Clock.currentTimeMillis
  const requests = yield* ProviderRequests
  const request = { kind: "IDENTITY", id: checkId, journeyId: journey.id, companyId: company.id, check } as const
  yield* orAgain(requests.begin(request, now))

  const identityProvider = yield* IdentityProvider
  const { url } = yield* identityProvider.start({ checkId, journeyId: journey.id, returnUrl, provider }).pipe(
    Effect.catchTags({
      ProviderRefused: ({ status }) => Effect.fail(new EffectFailed({ definite: true, reason: `HTTP_${status}` })),
      ProviderUnreachable: ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason }))
    })
  )
  const checks = yield* IdentityChecks
  yield* orAgain(checks.keepPage(checkId, { journeyId: journey.id, check }, key.seal(pagePlace(checkId), url), now))
  return done
})
