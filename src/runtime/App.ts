/**
 * The service as a graph of layers: the architecture on one page. Read it from the bottom: settings, the database, the
 * ports' adapters, the actors, HTTP.
 */
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import * as CustomerErasure from "../actors/erasure/CustomerErasure.ts"
import * as JourneyActor from "../actors/journey/actor/JourneyActor.ts"
import * as JourneyMailbox from "../actors/journey/actor/JourneyMailbox.ts"
import * as OwedWork from "../actors/journey/actor/PendingEffects.ts"
import { ServiceAddress } from "../actors/mail/ServiceAddress.ts"
import * as EndpointActors from "../actors/webhook/actor/EndpointActors.ts"
import * as EndpointMailbox from "../actors/webhook/actor/EndpointMailbox.ts"
import * as StartJourneys from "../actors/journey/actor/StartJourneys.ts"
import { RateLimit } from "../http/server/authentication.ts"
import { callbackRoutes } from "../http/api/callbacks/callbackRoutes.ts"
import { problemAnswer } from "../http/app/problemPages.ts"
import { appRoutes } from "../http/app/appRoutes.ts"
import { documentRoutes } from "../http/ops/documentRoutes.ts"
import * as Documents from "../http/ops/Documents.ts"
import { routerConfig, routes, type ServicesOf } from "../http/server/answering.ts"
import { eventRoutes } from "../http/api/events/eventRoutes.ts"
import { metricsRoutes } from "../http/ops/metricsRoutes.ts"
import { healthRoutes } from "../http/ops/healthRoutes.ts"
import { journeyRoutes } from "../http/api/journeys/journeyRoutes.ts"
import { hashToken, Operator, ProviderAddresses } from "../http/server/operator.ts"
import { settingsRoutes } from "../http/api/settings.ts"
import * as AesVault from "./node/AesVault.ts"
import * as Cluster from "./cluster/cluster.ts"
import * as OverdueWork from "./node/health/OverdueWork.ts"
import * as ReadinessChecks from "./node/health/ReadinessChecks.ts"
import * as Stopping from "./node/health/Stopping.ts"
import * as Watchdog from "./node/health/Watchdog.ts"
import * as ErasureWorker from "./work/ErasureWorker.ts"
import { nodeLimits } from "./node/limits.ts"
import { makeServer } from "./node/httpServer.ts"
import * as JourneyEffects from "../actors/effects/JourneyEffects.ts"
import * as Mail from "./smtp/mail.ts"
import * as NodeIds from "./node/NodeIds.ts"
import * as PhotoFaceCheck from "./faces/PhotoFaceCheck.ts"
import * as Database from "./postgres/Database.ts"
import * as EncryptionCheck from "./postgres/encryptionCheck.ts"
import * as JourneyAlarms from "./work/JourneyAlarms.ts"
import * as PostgresAuditLog from "./stores/PostgresAuditLog.ts"
import * as PostgresCustomerDetails from "./stores/PostgresCustomerDetails.ts"
import * as DeliveryAlarms from "./work/DeliveryAlarms.ts"
import * as PostgresDeliveryLog from "./stores/PostgresDeliveryLog.ts"
import * as PostgresEndpointStore from "./stores/PostgresEndpointStore.ts"
import * as PostgresDeliveryStore from "./stores/PostgresDeliveryStore.ts"
import * as PostgresCompanyStore from "./stores/PostgresCompanyStore.ts"
import * as PostgresCustomerLinks from "./stores/PostgresCustomerLinks.ts"
import * as PostgresErasures from "./stores/PostgresErasures.ts"
import * as PostgresEventStore from "./stores/PostgresEventStore.ts"
import * as PostgresIdentityChecks from "./stores/PostgresIdentityChecks.ts"
import * as PostgresJourneyStore from "./stores/PostgresJourneyStore.ts"
import * as PostgresKeyring from "./stores/PostgresKeyring.ts"
import * as PostgresMailStore from "./stores/PostgresMailStore.ts"
import * as PostgresRecipients from "./stores/PostgresRecipients.ts"
import * as PostgresSessions from "./stores/PostgresSessions.ts"
import * as PostgresSignInLinks from "./stores/PostgresSignInLinks.ts"
import * as PostgresPersonalRecords from "./stores/PostgresPersonalRecords.ts"
import * as PostgresProviderRequests from "./stores/PostgresProviderRequests.ts"
import * as PostgresReferenceFace from "./stores/PostgresReferenceFace.ts"
import * as PostgresReviewPictures from "./stores/PostgresReviewPictures.ts"
import * as PostgresReviewQueue from "./stores/PostgresReviewQueue.ts"
import * as PostgresStock from "./stores/PostgresStock.ts"
import * as PostgresTimeline from "./stores/PostgresTimeline.ts"
import * as PostgresVideos from "./stores/PostgresVideos.ts"
import * as PostgresWalletStore from "./stores/PostgresWalletStore.ts"
import * as HttpFinancePanel from "./providers/HttpFinancePanel.ts"
import * as HttpIdentityProvider from "./providers/HttpIdentityProvider.ts"
import * as IdentityAttempts from "../actors/checks/IdentityAttempts.ts"
import * as RestoredEvents from "./postgres/restoredEvents.ts"
import * as RedisCheck from "./cluster/redis/redisCheck.ts"
import * as Retention from "./work/Retention.ts"
import { Settings } from "./Settings.ts"
import * as clusterNumbers from "./telemetry/clusterNumbers.ts"
import * as databaseNumbers from "./telemetry/databaseNumbers.ts"
import * as processNumbers from "./telemetry/processNumbers.ts"
import * as Telemetry from "./telemetry/Telemetry.ts"
import * as coordination from "./cluster/coordination.ts"
import * as FrameVideoCheck from "./video/FrameVideoCheck.ts"
import * as VideoReader from "./video/VideoReader.ts"
import * as DnsResolver from "./webhooks/DnsResolver.ts"
import * as UndiciSender from "./webhooks/UndiciSender.ts"

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
  Layer.effect(
    StartJourneys.SandboxPace,
    Effect.map(Settings, ({ sandboxCallerStep, sandboxStep }) => ({ step: sandboxStep, callerStep: sandboxCallerStep }))
  )
)

const stores = Layer.mergeAll(
  PostgresAuditLog.layer,
  PostgresCompanyStore.layer,
  PostgresCustomerDetails.layer,
  PostgresDeliveryLog.layer,
  PostgresDeliveryStore.layer,
  PostgresEndpointStore.layer,
  PostgresCustomerLinks.layer,
  PostgresErasures.layer,
  PostgresEventStore.layer,
  PostgresIdentityChecks.layer,
  PostgresJourneyStore.layer,
  PostgresKeyring.layer,
  PostgresMailStore.layer,
  PostgresRecipients.layer,
  PostgresSessions.layer,
  PostgresSignInLinks.layer,
  PostgresPersonalRecords.layer,
  PostgresProviderRequests.layer,
  PostgresReferenceFace.layer,
  PostgresReviewPictures.layer,
  PostgresReviewQueue.layer,
  PostgresStock.layer,
  PostgresTimeline.layer,
  PostgresVideos.layer,
  PostgresWalletStore.layer
)

const adapters = Layer.mergeAll(
  NodeIds.layer,
  AesVault.layer,
  PhotoFaceCheck.layer,
  VideoReader.layer,
  Layer.merge(HttpFinancePanel.layer, HttpIdentityProvider.layer).pipe(
    Layer.provideMerge(UndiciSender.layer),
    Layer.provideMerge(DnsResolver.layer)
  ),
  fromSettings
)

/** What this node knows about itself; beside the actors, because it asks them. */
const health = ReadinessChecks.layer.pipe(Layer.provideMerge(Watchdog.layer), Layer.provideMerge(OverdueWork.layer))

/** A node that is only a client of the others has nothing to wake but what it tells them itself. */
const isRunner = Effect.map(Settings, ({ redisUrl, runnerAddress }) => ({
  isRunner: redisUrl === undefined || runnerAddress !== undefined
}))

/** Actors need alarms to ask for, alarms need actors to wake: the queue between them comes first. */
const actors = Layer.unwrap(
  Effect.map(Effect.all([JourneyAlarms.makePrompts, isRunner]), ([prompts, runs]) =>
    Layer.mergeAll(
      JourneyActor.layer,
      EndpointActors.layer,
      health,
      JourneyAlarms.journeyAlarms(prompts, runs),
      DeliveryAlarms.deliveryAlarms(runs)
    ).pipe(
      Layer.provide(Layer.provide(OwedWork.layer, JourneyEffects.layer)),
      Layer.provideMerge(JourneyAlarms.alarmsOf(prompts)),
      Layer.provideMerge(Layer.merge(JourneyMailbox.layer, EndpointMailbox.layer)),
      Layer.provide(Cluster.layer)
    )
  )
)

const listener = Layer.unwrap(
  Effect.map(Settings, ({ host, port }) =>
    NodeHttpServer.layer(() => makeServer(NodeIds.nextId), {
      host,
      port,
      gracefulShutdownTimeout: nodeLimits.finishWithin
    })
  )
)

const allRoutes = [
  ...journeyRoutes,
  ...eventRoutes,
  ...settingsRoutes,
  ...callbackRoutes,
  ...appRoutes,
  ...documentRoutes,
  ...healthRoutes,
  ...metricsRoutes
]

const http = HttpRouter.serve(routes<ServicesOf<typeof allRoutes>>(allRoutes, problemAnswer), {
  routerConfig,
  disableLogger: true,
  disableListenLog: true
})

/** Everything but the settings: listens when built, stops in the opposite order. */
export const layer = Stopping.toldFirst.pipe(
  Layer.provideMerge(http),
  Layer.provideMerge(listener),
  Layer.provide(Documents.layer),
  Layer.provide(StartJourneys.layer),
  Layer.provide(Layer.provideMerge(ErasureWorker.layer, CustomerErasure.layer)),
  Layer.provide(Retention.layer),
  Layer.provideMerge(IdentityAttempts.layer),
  Layer.provideMerge(actors),
  Layer.provideMerge(FrameVideoCheck.layer),
  Layer.provide(Mail.layer),
  Layer.provide(Stopping.layer),
  Layer.provide([EncryptionCheck.layer, RestoredEvents.layer, RedisCheck.layer]),
  Layer.provideMerge(stores),
  Layer.provideMerge(DeliveryAlarms.layer),
  Layer.provide(coordination.layer),
  Layer.provideMerge(adapters),
  Layer.provide([clusterNumbers.layer, databaseNumbers.layer, processNumbers.layer]),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Telemetry.layer)
)
