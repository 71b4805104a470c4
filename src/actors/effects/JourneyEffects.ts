/**
 * What journeys owe, by kind: each to the page that knows how one attempt of it is made. What an attempt needs it takes
 * from what is given here, not from whoever asks.
 */
import { Context, Effect, Layer } from "effect"
import type { CompanyStore } from "../company/CompanyStore.ts"
import { EffectFailed, Effects } from "../journey/actor/Effects.ts"
import type { FinancePanel } from "./FinancePanel.ts"
import type { IdentityChecks } from "../checks/IdentityChecks.ts"
import type { IdentityProvider } from "./IdentityProvider.ts"
import type { JourneyStore } from "../journey/actor/JourneyStore.ts"
import type { PersonalRecords } from "../customer/PersonalRecords.ts"
import type { ProviderRequests } from "./ProviderRequests.ts"
import type { Vault } from "../kernel/Vault.ts"
import { VideoCheck } from "../checks/VideoCheck.ts"
import type { VideoVerdict } from "../checks/videoVerdict.ts"
import { ServiceAddress } from "../mail/ServiceAddress.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { startIdentityCheck } from "./startIdentityCheck.ts"
import { submitApplication } from "./submitApplication.ts"

type Needed =
  | CompanyStore
  | FinancePanel
  | IdentityChecks
  | IdentityProvider
  | JourneyStore
  | PersonalRecords
  | ProviderRequests
  | ServiceAddress
  | Vault
  | VideoCheck

const ofVideo: Readonly<Record<VideoVerdict, JourneyMessage>> = {
  MATCH: { _tag: "VideoMatched" },
  UNCLEAR: { _tag: "VideoUnclear" },
  MISMATCH: { _tag: "VideoNotMatched" }
}

export const layer: Layer.Layer<Effects, never, Needed> = Layer.effect(
  Effects,
  Effect.gen(function* () {
    const given = yield* Effect.context<Needed>()
    const { baseUrl } = Context.get(given, ServiceAddress)
    const returnUrl = baseUrl === null ? null : `${baseUrl}/app/journey`
    const videos = Context.get(given, VideoCheck)
    return Effects.of({
      attempt: (journey, { kind, serial }) => {
        switch (kind) {
          case "SUBMIT_APPLICATION":
            return Effect.provide(submitApplication(journey, serial), given)
          case "START_IDENTITY_CHECK":
            return Effect.provide(startIdentityCheck(journey, serial, returnUrl), given)
          case "CHECK_VIDEO":
            return videos.check(journey.id).pipe(
              Effect.map((verdict) => ofVideo[verdict]),
              Effect.catchTag("VideoCheckUnavailable", ({ reason }) =>
                Effect.fail(new EffectFailed({ definite: false, reason }))
              )
            )
        }
      }
    })
  })
)
