/**
 * Finds the answers to the questions of an endpoint's decision: at the database, or at the sender when a channel must be
 * opened. Which question is asked when is decided in `rules/`.
 */
import { Clock, Effect } from "effect"
import type { CommitUnknown, StoreUnavailable, Unopenable } from "../../kernel/StoreError.ts"
import type { Vault } from "../../kernel/Vault.ts"
import type { EndpointAnswer, EndpointQuestion } from "../rules/EndpointMessage.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import type { EndpointChannel } from "./EndpointChannel.ts"
import { settingsReader } from "./settingsReader.ts"
import type { EndpointId } from "../../../schema/ids.ts"

export type Answering = (
  question: EndpointQuestion
) => Effect.Effect<EndpointAnswer, CommitUnknown | StoreUnavailable | Unopenable>

type Asked<Tag extends EndpointQuestion["_tag"]> = Extract<EndpointQuestion, { readonly _tag: Tag }>

export const answeringFor = Effect.fnUntraced(function* (
  endpointId: EndpointId,
  channel: EndpointChannel
): Effect.fn.Return<Answering, never, WebhookDeliveryStore | Vault> {
  const store = yield* WebhookDeliveryStore
  const clock = yield* Clock.Clock
  const readSettings = yield* settingsReader(endpointId)
  const now = () => clock.currentTimeMillisUnsafe()
  const settingsIf = (isWanted: boolean) => (isWanted ? readSettings : Effect.succeed("Unread" as const))

  const readDue = Effect.fnUntraced(function* ({ after, limit, withResend, withSettings }: Asked<"ReadDue">) {
    const resend = withResend ? yield* store.resendMore(endpointId, now()) : "None"
    const readAt = now()
    const [settings, due] = yield* Effect.all(
      [settingsIf(withSettings), store.due({ endpointId, now: readAt, after, limit })],
      { concurrency: 2 }
    )
    return { _tag: "DueRead", due, limit, readAt, resend, settings } as const
  })

  const readTest = Effect.fnUntraced(function* ({ eventId, withSettings }: Asked<"ReadTest">) {
    const settings = yield* settingsIf(withSettings)
    const delivery = yield* store.one(endpointId, eventId)
    return { _tag: "TestRead", eventId, delivery, settings } as const
  })

  return (question) => {
    switch (question._tag) {
      case "ReadSettings":
        return Effect.map(readSettings, (settings) => ({ _tag: "SettingsRead", settings }))
      case "ReadDue":
        return readDue(question)
      case "ReadTest":
        return readTest(question)
      case "Park":
        return Effect.map(store.park(endpointId), (isMore) => ({ _tag: "Parked", isMore }))
      case "WriteHealth":
        // A change that the database refuses for good is a fault of this service, and no reason to stop sending.
        return store.changeHealth(question.change).pipe(
          Effect.catchDefect((defect) =>
            Effect.logError("An endpoint's health could not be written", { endpointId }, defect)
          ),
          Effect.as({ _tag: "HealthWritten" } as const)
        )
      case "OpenChannel":
        return Effect.as(channel.open(question.url), { _tag: "ChannelOpened", url: question.url } as const)
    }
  }
})
