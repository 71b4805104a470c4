/**
 * What a start would come to, without starting: every problem that the start would tell, or the story of the journey with what
 * its company would be billed. The same judgements as a start's, all of them instead of the first; nothing is written. An
 * idempotency key is not looked at, so the answer is that of a start which was never sent before.
 */
import { Clock, Effect, type Result } from "effect"
import { JourneyId } from "../../../../schema/ids.ts"
import type { FieldError } from "../../../../schema/problems.ts"
import type { StartRequest } from "../../../../schema/start/startBodies.ts"
import type { StartingKey } from "../../../company/Keyring.ts"
import { WalletStore } from "../../../company/WalletStore.ts"
import { Ids } from "../../../kernel/Ids.ts"
import { Vault } from "../../../kernel/Vault.ts"
import type { WalletHold } from "../../rules/billing.ts"
import { decideStart } from "../../rules/decideStart.ts"
import { creditsFor, creditsShort, missingFor } from "../../rules/preconditions.ts"
import { storyOf, type Story } from "../../rules/story.ts"
import { JourneyStore } from "../JourneyStore.ts"
import { SandboxPace } from "../SandboxPace.ts"
import { startFacts } from "./startFacts.ts"
import { makeJudgePhoto } from "./startPhoto.ts"
import { StartRefused } from "./StartRefused.ts"

export interface RequestedPreview {
  readonly key: StartingKey
  readonly request: Result.Result<StartRequest, ReadonlyArray<FieldError>>
  readonly photo: Uint8Array | null
}

/** A wallet that pays, and what it has free. */
interface Bill extends WalletHold {
  readonly free: number
}

export interface StartPreview extends Story {
  /** Empty for a test journey. */
  readonly billing: ReadonlyArray<Bill>
}

export const makePreview = Effect.gen(function* () {
  const store = yield* JourneyStore
  const walletStore = yield* WalletStore
  const vault = yield* Vault
  const ids = yield* Ids
  const pace = yield* SandboxPace
  const judgePhoto = yield* makeJudgePhoto

  const problemsOfPhoto = (photo: Uint8Array) =>
    judgePhoto(photo).pipe(
      Effect.as<ReadonlyArray<FieldError>>([]),
      Effect.catchTag("StartRefused", ({ errors }) => Effect.succeed(errors))
    )

  const billingOf = Effect.fnUntraced(function* (request: StartRequest, { company, livemode }: StartingKey) {
    const holds = livemode ? creditsFor(request) : []
    if (holds.length === 0) return []
    const wallets = yield* walletStore.wallets(company.id)
    return holds.map(({ credits, wallet }): Bill => {
      const found = wallets.find((one) => one.wallet === wallet)
      return { wallet, credits, free: (found?.balance ?? 0) - (found?.held ?? 0) }
    })
  })

  const preview = Effect.fnUntraced(function* ({ key, photo, request }: RequestedPreview) {
    if (request._tag === "Failure") return yield* Effect.fail(new StartRefused(request.failure))
    const start = request.success
    const ofPhoto = photo === null ? [] : yield* problemsOfPhoto(photo)
    const billing = yield* billingOf(start, key)
    const short = billing.filter(({ credits, free }) => free < credits)
    // A start tells the first of these kinds of problems; here they are all told, in the order of the start.
    const found = [...ofPhoto, ...missingFor(start, key), ...short.map(({ wallet }) => creditsShort(wallet))]
    if (found.length > 0) return yield* Effect.fail(new StartRefused(found))
    const scope = { companyId: key.company.id, livemode: key.livemode }
    const isKnown = yield* store.hasCustomer(scope, vault.index("email", start.customer.email.toLowerCase()))
    const facts = startFacts(key, start, pace, JourneyId.make(ids.next()), "", !isKnown)
    const now = yield* Clock.currentTimeMillis
    const preview: StartPreview = { ...storyOf(decideStart(facts, now), facts.check, now), billing }
    return preview
  })
  return preview
})
