/**
 * Which effect of a journey is carried out by which function of this folder: one row for each kind of effect. A function
 * makes one attempt. When an effect begins, and when it is tried again, is the journey's decision
 * (`journey/rules/pendingEffects.ts`).
 */
import { Effect, Layer } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { journeyPagePath } from "../customer/appPaths.ts"
import { type EffectFailed, Effects } from "../journey/actor/Effects.ts"
import type { ExternalEffect, Journey } from "../journey/rules/state/Journey.ts"
import { CurrentWorkFor } from "../kernel/WorkFor.ts"
import { ServiceAddress } from "../mail/ServiceAddress.ts"
import { deleteBiometrics } from "./deleteBiometrics.ts"
import { checkVideo } from "./checkVideo.ts"
import { startIdentityCheck } from "./startIdentityCheck.ts"
import { submitApplication } from "./submitApplication.ts"

type Attempt<R> = (journey: Journey, serial: number) => Effect.Effect<JourneyMessage, EffectFailed, R>

/** The provider sends the customer back to the journey's page. */
const startAtProvider = (journey: Journey, serial: number) =>
  Effect.flatMap(ServiceAddress, ({ baseUrl }) =>
    startIdentityCheck(journey, serial, baseUrl === null ? null : `${baseUrl}${journeyPagePath}`)
  )

const checkItsVideo = ({ id }: Journey, serial: number) => checkVideo(id, serial)

type Needed = Effect.Services<
  | ReturnType<typeof submitApplication>
  | ReturnType<typeof startAtProvider>
  | ReturnType<typeof checkItsVideo>
  | ReturnType<typeof deleteBiometrics>
>

const attempts: Readonly<Record<ExternalEffect["kind"], Attempt<Needed>>> = {
  SUBMIT_APPLICATION: submitApplication,
  START_IDENTITY_CHECK: startAtProvider,
  CHECK_VIDEO: checkItsVideo,
  DELETE_BIOMETRICS: deleteBiometrics
}

export const layer: Layer.Layer<Effects, never, Needed> = Layer.effect(
  Effects,
  Effect.map(Effect.context<Needed>(), (services) =>
    Effects.of({
      attempt: (journey, { kind, serial }) =>
        attempts[kind](journey, serial).pipe(
          Effect.provide(services),
          Effect.provideService(CurrentWorkFor, {
            companyId: journey.companyId,
            livemode: journey.livemode,
            who: journey.id
          })
        )
    })
  )
)
