/**
 * Has identity checks started at outside providers over HTTP. What their answers amount to is `signedPost.ts`'s; here is
 * only whether the page they name is one a customer may be sent to.
 */
import { Effect, Layer } from "effect"
import { IdentityProvider, ProviderRefused, ProviderUnreachable } from "../../actors/effects/IdentityProvider.ts"
import { Sender } from "../../actors/webhook/actor/Sender.ts"
import { judgeWebhookUrl, longestUrl } from "../../schema/webhook/webhookUrl.ts"
import { isRecord } from "../../schema/start/record.ts"
import { Settings } from "../Settings.ts"
import { signedPost } from "./signedPost.ts"

interface Options {
  readonly allowInsecure: boolean
}

/** The page of an answer, or null when there is none the customer may be sent to: https, at a public host. */
export const pageOf = (answer: string, options: Options): string | null => {
  const url = urlIn(answer)
  if (url === null || url.length > longestUrl) return null
  // Unlike an address we send to, a page may have a fragment.
  const [page = "", ...fragment] = url.split("#")
  const judged = judgeWebhookUrl(page, options)
  if ("rule" in judged || fragment.length > 1 || !/^[!-~]*$/.test(fragment[0] ?? "")) return null
  return fragment[0] === undefined ? judged.url : `${judged.url}#${fragment[0]}`
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
        start: Effect.fn("IdentityProvider.start")(function* ({ checkId, journeyId, provider, returnUrl }) {
          const verdict = yield* signedPost(sender, options, {
            provider,
            requestId: checkId,
            body: { checkId, journeyId, returnUrl }
          })
          switch (verdict._tag) {
            case "Taken": {
              const url = pageOf(verdict.answer, options)
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
