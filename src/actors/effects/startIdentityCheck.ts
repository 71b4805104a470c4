/**
 * The effect START_IDENTITY_CHECK: one attempt to have a journey's identity check started at an outside provider. The
 * attempt answers with the message that tells the journey the result, and fails when another attempt may succeed. The
 * customer is asked, and the company charged, by the journey's decision about IdentityCheckStarted (D2, B1).
 *
 * | what happens                                        | result                                       |
 * |-----------------------------------------------------|----------------------------------------------|
 * | the provider answers with its page                  | the page is kept, then IdentityCheckStarted  |
 * | the company now has its customers checked here      | IdentityCheckStarted                         |
 * | the company has no provider any more                | IdentityUnavailable, EKYC_NOT_CONFIGURED     |
 * | the provider refuses                                | EffectFailed, definite                       |
 * | the customer was erased, or their name is unknown   | EffectFailed, definite                       |
 * | no answer, or an answer without a usable page       | EffectFailed, not definite                   |
 */
import { Clock, Effect } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { askedCheckOf, IdentityChecks, pagePlace } from "../checks/identity/IdentityChecks.ts"
import { PersonalRecords } from "../customer/PersonalRecords.ts"
import { CompanyStore } from "../company/CompanyStore.ts"
import { identityProviderOf } from "../company/providers.ts"
import { EffectFailed } from "../journey/actor/Effects.ts"
import { JourneyStore } from "../journey/actor/JourneyStore.ts"
import { checkedCustomer } from "../journey/rules/checkedCustomer.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import { Vault } from "../kernel/Vault.ts"
import { failingForNow } from "./failingForNow.ts"
import { IdentityProvider } from "./IdentityProvider.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import { requestIdsOf } from "./requestIds.ts"
import { CheckId } from "../../schema/ids.ts"

/** `returnUrl`: the provider sends the customer back to this page. Null: the service does not know its own address. */
export const startIdentityCheck = Effect.fn("providers.startIdentityCheck")(function* (
  journey: Pick<Journey, "id" | "companyId" | "livemode" | "identity">,
  serial: number,
  returnUrl: string | null
): Effect.fn.Return<
  JourneyMessage,
  EffectFailed,
  CompanyStore | IdentityChecks | IdentityProvider | JourneyStore | PersonalRecords | ProviderRequests | Vault
> {
  const vault = yield* Vault
  const companies = yield* CompanyStore
  const company = yield* failingForNow(companies.find(journey.companyId))
  const asked = askedCheckOf(journey)
  if (company === null || company.identityProvider === null) {
    return { _tag: "IdentityUnavailable", check: asked.check, reason: "EKYC_NOT_CONFIGURED" }
  }
  const started: JourneyMessage = { _tag: "IdentityCheckStarted", check: asked.check }
  const provider = yield* failingForNow(identityProviderOf(vault, company))
  if (provider === null) return started
  if (returnUrl === null) return yield* new EffectFailed({ definite: false, reason: "NO_BASE_URL" })

  const journeys = yield* JourneyStore
  const customer = yield* failingForNow(journeys.customerKey(journey.id, journey))
  if (customer === null) return yield* new EffectFailed({ definite: true, reason: "CUSTOMER_ERASED" })
  const key = yield* failingForNow(vault.keyOf(customer.wrappedKey))
  const records = yield* PersonalRecords
  const checked = checkedCustomer(yield* failingForNow(records.read(journey.id)))
  if (checked === null) return yield* new EffectFailed({ definite: true, reason: "RECORD_UNREADABLE" })

  const ids = requestIdsOf(vault, "START_IDENTITY_CHECK", journey.id, serial)
  const now = yield* Clock.currentTimeMillis
  const requests = yield* ProviderRequests
  const request = { kind: "IDENTITY", companyId: company.id, ...asked } as const
  const checkId = CheckId.make(yield* failingForNow(requests.begin(ids, request, now)))

  const identityProvider = yield* IdentityProvider
  const { url } = yield* identityProvider
    .start({ checkId, journeyId: journey.id, returnUrl, provider, customer: checked })
    .pipe(
      Effect.catchTags({
        ProviderRefused: ({ status }) => Effect.fail(new EffectFailed({ definite: true, reason: `HTTP_${status}` })),
        ProviderUnreachable: ({ reason }) => Effect.fail(new EffectFailed({ definite: false, reason }))
      })
    )
  const checks = yield* IdentityChecks
  yield* failingForNow(checks.keepPage(checkId, asked, key.seal(pagePlace(checkId), url), now))
  return started
})
