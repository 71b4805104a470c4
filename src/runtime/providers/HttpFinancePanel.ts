/** Submits applications to finance panels over HTTP. `signedPost.ts` decides what a panel's answer means. */
import { Effect, Layer } from "effect"
import { FinancePanel, PanelRefused, PanelUnreachable } from "../../actors/effects/FinancePanel.ts"
import { Sender } from "../../actors/webhook/actor/Sender.ts"
import { Settings } from "../settings/Settings.ts"
import { signedPost } from "./signedPost.ts"

export const layerOf = (options: { readonly allowInsecure: boolean }): Layer.Layer<FinancePanel, never, Sender> =>
  Layer.effect(
    FinancePanel,
    Effect.map(Sender, (sender) =>
      FinancePanel.of({
        submit: Effect.fn("FinancePanel.submit")(function* ({ application, journeyId, panel, submissionId }) {
          const verdict = yield* signedPost(sender, options, {
            provider: panel,
            requestId: submissionId,
            body: { submissionId, journeyId, application }
          })
          switch (verdict._tag) {
            case "Taken":
              return "ACCEPTED" as const
            case "Refused":
              return yield* new PanelRefused({ status: verdict.status })
            case "Unknown":
              return yield* new PanelUnreachable({ reason: verdict.reason })
          }
        })
      })
    )
  )

export const layer: Layer.Layer<FinancePanel, never, Sender | Settings> = Layer.unwrap(
  Effect.map(Settings, ({ webhookAllowInsecure }) => layerOf({ allowInsecure: webhookAllowInsecure }))
)
