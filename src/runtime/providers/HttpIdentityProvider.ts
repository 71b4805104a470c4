/**
 * Starts identity checks at outside providers over HTTP. `signedPost.ts` decides what a provider's answer means; this file
 * decides whether a customer may be sent to the page that the answer names.
 */
import { Effect, Layer } from "effect"
import { IdentityProvider, ProviderRefused, ProviderUnreachable } from "../../actors/effects/IdentityProvider.ts"
import { Sender } from "../../actors/webhook/actor/Sender.ts"
import { judgePageUrl } from "../../schema/webhook/pageUrl.ts"
import { isRecord } from "../../schema/decoding/record.ts"
import { Settings } from "../settings/Settings.ts"
import { signedPost } from "./signedPost.ts"

interface Options {
  readonly allowInsecure: boolean
}

/** The page that the answer names. Null: the customer may not be sent there, because it is not https at a public host. */
export const providerPageOf = (answer: string, options: Options): string | null => {
  const url = urlIn(answer)
  const judged = url === null ? null : judgePageUrl(url, options)
  return judged === null || "rule" in judged ? null : judged.url
}

const urlIn = (answer: string): string | null => {
  try {
    const json: unknown = JSON.parse(answer)
    return isRecord(json) && typeof json["url"] === "string" ? json["url"] : null
  } catch {
    return null
  }
}

export const layerOf = (options: Options): Layer.Layer<IdentityProvider, never, Sender> =>
  Layer.effect(
    IdentityProvider,
    Effect.map(Sender, (sender) =>
      IdentityProvider.of({
        start: Effect.fn("IdentityProvider.start")(function* ({ checkId, customer, journeyId, provider, returnUrl }) {
          const verdict = yield* signedPost(sender, options, {
            provider,
            requestId: checkId,
            body: { checkId, journeyId, returnUrl, customer }
          })
          switch (verdict._tag) {
            case "Taken": {
              const url = providerPageOf(verdict.answer, options)
              return url === null ? yield* new ProviderUnreachable({ reason: "NO_PAGE" }) : { url }
            }
            case "Refused":
              return yield* new ProviderRefused({ status: verdict.status })
            case "Unknown":
              return yield* new ProviderUnreachable({ reason: verdict.reason })
          }
        })
      })
    )
  )

export const layer: Layer.Layer<IdentityProvider, never, Sender | Settings> = Layer.unwrap(
  Effect.map(Settings, ({ webhookAllowInsecure }) => layerOf({ allowInsecure: webhookAllowInsecure }))
)
