/**
 * Changed API keys, told over Redis' publish and subscribe. Every node, the one that tells included, forgets what it remembers and
 * says so. The change is answered when all nodes to which Redis gave the news have said so, or when `rememberedFor` has passed:
 * by then no node remembers anything of before, whether it heard or not.
 *
 * | Redis                         | what happens here                                                                  |
 * |-------------------------------|------------------------------------------------------------------------------------|
 * | away, or the subscription is  | `isHeard` is false: each request looks its key up; a change waits for a second      |
 * | frozen, not noticed yet       | keys are remembered for a second at most; a change waits for that second            |
 * | back                          | what was told meanwhile is lost, so everything is forgotten once more                |
 */
import { Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { keyringLimits } from "../../../actors/company/limits.ts"
import { Announcement } from "./announcement.ts"
import { redisLimits } from "./limits.ts"
import { KeyNews } from "../coordination/KeyNews.ts"
import { keyOf, Redis } from "./Redis.ts"

const changed = keyOf("keys", "changed")
const forgotten = keyOf("keys", "forgotten")

const rememberedMillis = Duration.toMillis(keyringLimits.rememberedFor)

const make = Effect.gen(function* () {
  const { hearing, prompt } = yield* Redis
  const listeners = new Set<() => void>()
  const announcements = new Map<string, Announcement>()
  let isHeard = false

  const forgetAll = () => {
    for (const forget of listeners) forget()
  }

  const subscribe = () => {
    hearing.subscribe(changed, forgotten).then(
      () => {
        forgetAll()
        isHeard = true
      },
      () => hearing.disconnect(true)
    )
  }
  const heard = (channel: string, id: string) => {
    if (channel === forgotten) return announcements.get(id)?.isForgotten()
    forgetAll()
    // Whoever waits in vain for this waits no longer than the memory lasts.
    prompt.publish(forgotten, id).catch(() => {})
  }
  const deaf = () => {
    isHeard = false
  }

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      hearing.on("message", heard)
      hearing.on("ready", subscribe)
      hearing.on("close", deaf)
      if (hearing.status === "ready") subscribe()
    }),
    () =>
      Effect.sync(() => {
        deaf()
        hearing.off("message", heard).off("ready", subscribe).off("close", deaf)
      })
  )

  yield* Effect.sleep(redisLimits.hearingProvedEvery).pipe(
    Effect.andThen(
      Effect.promise(async () => {
        try {
          if (hearing.status === "ready") await hearing.ping()
        } catch {
          deaf()
          hearing.disconnect(true)
        }
      })
    ),
    Effect.forever,
    Effect.forkScoped
  )

  return KeyNews.of({
    onChange: (forget) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(forget)),
          () => Effect.sync(() => listeners.delete(forget))
        )
      ),
    isHeard: () => isHeard,
    // A change runs to its end whoever goes away, so this may not be interrupted and has a timer of its own.
    announce: Effect.callback<void>((resume) => {
      const id = randomUUID()
      const end = () => {
        clearTimeout(timer)
        announcements.delete(id)
        resume(Effect.void)
      }
      const timer = setTimeout(end, rememberedMillis)
      const announcement = new Announcement(end)
      announcements.set(id, announcement)
      prompt.publish(changed, id).then(
        (nodes) => announcement.isAnnounced(nodes),
        () => {}
      )
    })
  })
})

export const layer: Layer.Layer<KeyNews, never, Redis> = Layer.effect(KeyNews, make)
