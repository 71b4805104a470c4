/**
 * The demo for the home page. It is there while the database is embedded, the service listens on this machine alone, no
 * public address is set, and the file of the demo companies can be read. A journey is started as any caller would: with the
 * dealer's test key and the example of the documents.
 */
import { Effect, Layer, Option } from "effect"
import { Keyring } from "../../actors/company/Keyring.ts"
import type { SamplePhoto } from "../../actors/faces/SamplePhoto.ts"
import { startExample } from "../../actors/journey/actor/start/startExample.ts"
import type { StartJourneys } from "../../actors/journey/actor/start/StartJourneys.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { isOwnMachine } from "../../http/home/homeFrame.ts"
import { LocalDemo, type DemoInUse } from "../../http/home/LocalDemo.ts"
import { Settings } from "../settings/Settings.ts"
import { adminEmailOf } from "./firstStart.ts"
import { demoFileOf, readDemo, type Demo } from "./demoFile.ts"

export const layer: Layer.Layer<LocalDemo, never, Ids | Keyring | SamplePhoto | Settings | StartJourneys> =
  Layer.effect(
    LocalDemo,
    Effect.gen(function* () {
      const settings = yield* Settings
      const keyring = yield* Keyring
      const tools = yield* Effect.context<SamplePhoto | StartJourneys>()
      const ids = yield* Ids

      const isPublic =
        !isOwnMachine(settings.host) ||
        (settings.baseUrl !== undefined && !isOwnMachine(new URL(settings.baseUrl).hostname))
      if (settings.databaseUrl !== undefined || isPublic) return LocalDemo.of({ inUse: Effect.succeed(null) })

      const starting = (demo: Demo): DemoInUse["start"] =>
        Effect.fnUntraced(function* (shape) {
          const dealer = demo.companies.find(({ kind }) => kind === "DEALER")
          const key = dealer === undefined ? null : yield* keyring.find(dealer.testKey)
          if (key === null || key.isRevoked) return false
          const started = startExample({
            company: key.company,
            shape,
            sender: "home page",
            idempotencyKey: `home-page-${ids.next()}`
          })
          return yield* started.pipe(
            Effect.as(true),
            Effect.tapError((cause) =>
              Effect.logWarning("The home page could not start a test journey", { cause: cause._tag })
            ),
            Effect.orElseSucceed(() => false),
            Effect.provideContext(tools)
          )
        })

      return LocalDemo.of({
        // The file is read anew: the first start writes it when the service listens already.
        inUse: Effect.map(Effect.option(readDemo(demoFileOf(settings.dataDir))), (read) => {
          const demo = Option.getOrNull(read)
          return demo === null
            ? null
            : {
                companies: demo.companies.map(({ id, kind, name }) => ({
                  id,
                  kind,
                  name,
                  adminEmail: adminEmailOf(kind)
                })),
                start: starting(demo)
              }
        })
      })
    })
  )
