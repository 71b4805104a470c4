/**
 * The whole service as one graph of layers: the architecture on one page, one section for each folder. Read it from the
 * bottom up: settings, telemetry, database, stores, actors, HTTP. How each part works stands in its folder.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import * as IdentityAttempts from "../actors/checks/identity/IdentityAttempts.ts"
import * as JourneyEffects from "../actors/effects/JourneyEffects.ts"
import * as CustomerErasure from "../actors/erasure/CustomerErasure.ts"
import * as JourneyActor from "../actors/journey/actor/JourneyActor.ts"
import * as JourneyMailbox from "../actors/journey/actor/JourneyMailbox.ts"
import * as PendingEffects from "../actors/journey/actor/PendingEffects.ts"
import { SandboxPace } from "../actors/journey/actor/SandboxPace.ts"
import * as StartJourneys from "../actors/journey/actor/start/StartJourneys.ts"
import { ServiceAddress } from "../actors/mail/ServiceAddress.ts"
import * as EndpointActors from "../actors/webhook/actor/EndpointActors.ts"
import * as EndpointMailbox from "../actors/webhook/actor/EndpointMailbox.ts"
import { settingsRoutes } from "../http/api/settings.ts"
import { callbackRoutes } from "../http/api/callbacks/callbacks.ts"
import { integratorRoutes } from "../http/api/integrators.ts"
import { appRoutes } from "../http/app/appRoutes.ts"
import * as JourneyWatch from "../http/console/journeys/JourneyWatch.ts"
import { consoleRoutes } from "../http/console/consoleRoutes.ts"
import { consoleProblemAnswer } from "../http/console/frame/problemPages.ts"
import * as Documents from "../http/ops/Documents.ts"
import { homePageRoutes } from "../http/home/homePage.ts"
import { mailboxPageRoutes } from "../http/home/mailboxPage.ts"
import { guideRoutes } from "../http/guides/guideRoutes.ts"
import { documentRoutes } from "../http/ops/documentRoutes.ts"
import { healthRoutes } from "../http/ops/healthRoutes.ts"
import { metricsRoutes } from "../http/ops/metricsRoutes.ts"
import { routerConfig, routes, type ServicesOf } from "../http/server/answers/answering.ts"
import { RateLimit } from "../http/server/callers/authentication.ts"
import * as BodyBudget from "../http/server/admission/BodyBudget.ts"
import * as ListPlaces from "../http/server/admission/ListPlaces.ts"
import * as RequestTurns from "../http/server/admission/RequestTurns.ts"
import { TrustedProxies } from "../http/server/callers/clientAddress.ts"
import { hashToken, Operator, ProviderAddresses } from "../http/server/callers/operator.ts"
import { Settings } from "./settings/Settings.ts"
import { availableMemory } from "./node/availableMemory.ts"
import * as Cluster from "./cluster/cluster.ts"
import * as coordination from "./cluster/coordination.ts"
import * as RedisCheck from "./cluster/redis/redisCheck.ts"
import * as KeyRing from "./keys/keyRing.ts"
import * as FileJournal from "./erasures/FileJournal.ts"
import * as Replay from "./erasures/replay.ts"
import * as CountedValues from "./keys/countedValues.ts"
import * as Rewrapping from "./keys/Rewrapping.ts"
import * as StillSealing from "./keys/stillSealing.ts"
import * as PhotoFaceCheck from "./faces/looks/PhotoFaceCheck.ts"
import * as TesseractDocumentReader from "./faces/documents/TesseractDocumentReader.ts"
import * as JsonThread from "./node/JsonThread.ts"
import * as NodeIds from "./node/NodeIds.ts"
import * as OwnMachineDemo from "./firstStart/OwnMachineDemo.ts"
import * as FirstOwners from "./firstStart/firstOwners.ts"
import * as SamplePhoto from "./firstStart/samplePhoto.ts"
import type { ConnectionBounds } from "./node/connectionBounds.ts"
import { makeServer } from "./node/httpServer.ts"
import { listenError, type ListenSettings } from "./node/ListenError.ts"
import { nodeLimits } from "./node/limits.ts"
import * as OverdueWork from "./node/health/OverdueWork.ts"
import * as ReadinessChecks from "./node/health/ReadinessChecks.ts"
import * as Stopping from "./node/health/Stopping.ts"
import * as Watchdog from "./node/health/Watchdog.ts"
import * as Database from "./postgres/Database.ts"
import * as RestoredEvents from "./postgres/restoredEvents.ts"
import * as HttpFinancePanel from "./providers/HttpFinancePanel.ts"
import * as HttpIdentityProvider from "./providers/HttpIdentityProvider.ts"
import * as Mail from "./smtp/mail.ts"
import * as Stores from "./stores/stores.ts"
import * as startHonesty from "./honesty/startHonesty.ts"
import * as Telemetry from "./telemetry/Telemetry.ts"
import * as clusterNumbers from "./telemetry/clusterNumbers.ts"
import * as databaseNumbers from "./telemetry/databaseNumbers.ts"
import * as processNumbers from "./telemetry/processNumbers.ts"
import * as FrameVideoCheck from "./video/FrameVideoCheck.ts"
import * as VideoReader from "./video/VideoReader.ts"
import * as DnsResolver from "./webhooks/DnsResolver.ts"
import * as UndiciSender from "./webhooks/UndiciSender.ts"
import * as WebhookDeliveryAlarms from "./work/DeliveryAlarms.ts"
import * as ErasureWorker from "./work/ErasureWorker.ts"
import * as FillIn from "./work/FillIn.ts"
import * as JourneyAlarms from "./work/JourneyAlarms.ts"
import * as Months from "./work/Months.ts"
import * as Retention from "./work/Retention.ts"
import * as WalletChecks from "./work/WalletChecks.ts"

// Settings: what single parts of the service need to know of them.

const fromSettings = Layer.mergeAll(
  Layer.effect(
    ServiceAddress,
    Effect.map(Settings, ({ baseUrl }) => ({ baseUrl: baseUrl ?? null }))
  ),
  Layer.effect(
    Operator,
    Effect.map(Settings, ({ operatorToken }) => ({ tokenHash: hashToken(Redacted.value(operatorToken)) }))
  ),
  Layer.effect(
    ProviderAddresses,
    Effect.map(Settings, ({ webhookAllowInsecure }) => ({ allowInsecure: webhookAllowInsecure }))
  ),
  Layer.effect(
    RateLimit,
    Effect.map(Settings, ({ rateLimitPerMinute }) => ({ perMinute: rateLimitPerMinute }))
  ),
  Layer.unwrap(
    Effect.map(Settings, ({ bodyBudget }) =>
      BodyBudget.layerOf(
        bodyBudget === undefined ? BodyBudget.usualBodyBudget(availableMemory()) : bodyBudget * 2 ** 20
      )
    )
  ),
  ListPlaces.layer,
  RequestTurns.layer,
  Mail.keeping,
  Layer.effect(
    TrustedProxies,
    Effect.map(Settings, ({ trustedProxies }) => trustedProxies)
  ),
  Layer.effect(
    SandboxPace,
    Effect.map(Settings, ({ sandboxCallerStep, sandboxStep }) => ({ step: sandboxStep, callerStep: sandboxCallerStep }))
  )
)

// node, faces, video, webhooks, providers: the outside world behind the ports of the actors.

const adapters = Layer.mergeAll(
  NodeIds.layer,
  FileJournal.layer,
  JsonThread.layer,
  SamplePhoto.layer,
  PhotoFaceCheck.layer,
  TesseractDocumentReader.layer,
  VideoReader.layer,
  Layer.merge(HttpFinancePanel.layer, HttpIdentityProvider.layer).pipe(
    Layer.provideMerge(UndiciSender.layer),
    Layer.provideMerge(DnsResolver.layer)
  ),
  fromSettings
).pipe(
  // keys: nothing is sealed or opened before the keys are known to be the right ones.
  Layer.provideMerge(CountedValues.layer),
  Layer.provideMerge(KeyRing.layer)
)

// actors, cluster, work, node/health: the actors, where they run, and what wakes them.

/** What this node knows about its own health. It stands beside the actors, because it asks them. */
const health = ReadinessChecks.layer.pipe(Layer.provideMerge(Watchdog.layer), Layer.provideMerge(OverdueWork.layer))

/** A node that only takes requests runs no actors, so the alarms of the database are not its work. */
const isRunner = Effect.map(Settings, ({ redisUrl, runnerAddress }) => ({
  isRunner: redisUrl === undefined || runnerAddress !== undefined
}))

/** Actors set alarms, and alarms wake actors. The queue between them is therefore made first. */
const actors = Layer.unwrap(
  Effect.map(Effect.all([JourneyAlarms.makePrompts, isRunner]), ([prompts, runs]) =>
    Layer.mergeAll(
      JourneyActor.layer,
      EndpointActors.layer,
      health,
      JourneyAlarms.journeyAlarms(prompts, runs),
      WebhookDeliveryAlarms.deliveryAlarms(runs)
    ).pipe(
      Layer.provide(Layer.provide(PendingEffects.layer, JourneyEffects.layer)),
      Layer.provideMerge(JourneyAlarms.alarmsOf(prompts)),
      Layer.provideMerge(Layer.merge(JourneyMailbox.layer, EndpointMailbox.layer)),
      Layer.provide(Cluster.layer)
    )
  )
)

// http: the routes, and the servers that listen.

const listenerAt = (
  at: { readonly host: string; readonly port: number },
  bounds: ConnectionBounds,
  baseUrl: string | undefined,
  settings: ListenSettings
) =>
  NodeHttpServer.layer(
    () =>
      makeServer({
        newRequestId: NodeIds.nextId,
        answerProblem: consoleProblemAnswer,
        bounds,
        baseUrl: baseUrl ?? null
      }),
    { ...at, gracefulShutdownTimeout: nodeLimits.finishWithin }
  ).pipe(Layer.catchTag("ServeError", ({ cause }) => Layer.effectContext(Effect.fail(listenError(cause, settings)))))

const listener = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, host, port, trustedProxies }) =>
    listenerAt(
      { host, port },
      {
        most: nodeLimits.mostConnections,
        mostOfOneAddress: nodeLimits.mostConnectionsOfOneAddress,
        proxies: trustedProxies
      },
      baseUrl,
      { host: "HOST", port: "PORT", takesAnyPort: true }
    )
  )
)

/** What is answered apart from everything else where OPS_PORT says so: probes get through while the other port is flooded. */
const opsRoutes = [...healthRoutes, ...metricsRoutes]

const publicRoutes = [
  ...integratorRoutes,
  ...settingsRoutes,
  ...callbackRoutes,
  ...appRoutes,
  ...consoleRoutes,
  ...homePageRoutes,
  ...mailboxPageRoutes,
  ...documentRoutes,
  ...guideRoutes
]

const allRoutes = [...publicRoutes, ...opsRoutes]

const serving = (some: typeof allRoutes) =>
  HttpRouter.serve(routes<ServicesOf<typeof allRoutes>>(some, consoleProblemAnswer), {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  })

const http = Layer.unwrap(Effect.map(Settings, ({ ops }) => serving(ops === undefined ? allRoutes : publicRoutes)))

/** Built apart: what a router leaves in the context would make two routers one. */
const opsListener = Layer.effectDiscard(
  Effect.flatMap(Settings, ({ baseUrl, ops }) => {
    if (ops === undefined) return Effect.void
    const bounds = { most: nodeLimits.mostOpsConnections, mostOfOneAddress: nodeLimits.mostOpsConnections, proxies: [] }
    const at = listenerAt(ops, bounds, baseUrl, { host: "OPS_HOST", port: "OPS_PORT", takesAnyPort: false })
    return Effect.asVoid(Layer.build(Layer.provide(serving(opsRoutes), at)))
  })
)

// The whole: each line rests on the lines below it.

/** Everything but the settings. The service listens once this layer is built, and stops in the opposite order. */
export const layer = Layer.merge(Stopping.markedFirst, JourneyWatch.endedFirst).pipe(
  // http
  Layer.provideMerge(http),
  Layer.provideMerge(Layer.provideMerge(listener, opsListener)),
  Layer.provideMerge(JourneyWatch.layer),
  Layer.provide([Documents.layer, OwnMachineDemo.layer]),
  // actors, with the work that runs beside them
  Layer.provide(StartJourneys.layer),
  Layer.provide(Layer.provideMerge(ErasureWorker.layer, CustomerErasure.layer)),
  Layer.provide([
    Retention.layer,
    Months.layer,
    WalletChecks.layer,
    FillIn.layer,
    Rewrapping.layer,
    StillSealing.layer
  ]),
  Layer.provideMerge(IdentityAttempts.layer),
  Layer.provideMerge(actors),
  Layer.provideMerge(FrameVideoCheck.layer),
  Layer.provide(Mail.layer),
  // node/health, and what must hold before anything runs
  Layer.provide(Stopping.layer),
  Layer.provide([FirstOwners.layer, Replay.layer, RestoredEvents.layer, RedisCheck.layer]),
  // stores, and what they rest on
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(WebhookDeliveryAlarms.layer),
  Layer.provide(coordination.layer),
  Layer.provideMerge(adapters),
  Layer.provide([clusterNumbers.layer, databaseNumbers.layer, processNumbers.layer]),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Layer.provide(Telemetry.layer, startHonesty.layer))
)
