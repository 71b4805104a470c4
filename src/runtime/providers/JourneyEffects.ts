/**
 * What journeys owe, by kind: each to the page that knows how one attempt of it is made. What an attempt needs it takes
 * from what is given here, not from whoever asks.
 */
import { Context, Effect, Layer } from "effect"
import type { CompanyStore } from "../../actors/company/CompanyStore.ts"
import { EffectFailed, Effects } from "../../actors/journey/actor/Effects.ts"
import type { FinancePanel } from "../../actors/journey/actor/FinancePanel.ts"
import type { IdentityChecks } from "../../actors/checks/IdentityChecks.ts"
import type { IdentityProvider } from "../../actors/checks/IdentityProvider.ts"
import type { JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import type { PersonalRecords } from "../../actors/customer/PersonalRecords.ts"
import type { ProviderRequests } from "../../actors/checks/ProviderRequests.ts"
import type { Vault } from "../../actors/kernel/Vault.ts"
import { VideoCheck } from "../../actors/checks/VideoCheck.ts"
import type { VideoVerdict } from "../../actors/journey/rules/videoVerdict.ts"
import { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
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
