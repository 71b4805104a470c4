/** `journeys webhooks deliveries` and what follows from it: the delivery log, and sending events again. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { journeyEventTypes } from "../../../schema/webhook/EventSelection.ts"
import type { ResendBody } from "../../../schema/webhook/Resend.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { endpoint, outcomeOf, paramsOf, printDelivery } from "./endpointParameters.ts"
import { given, page, piece, textFlag, toggle } from "../frame/parameters.ts"
import { printOne, printPage, printPiece, printWithList } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const event = Argument.String("delivery").pipe(Argument.withDescription("The delivery's id, which is the event's"))

export const deliveries = Command.make(
  "deliveries",
  {
    ...endpoint,
    ...queryFlags("listDeliveries"),
    ...piece
  },
  Effect.fn("webhooks deliveries")(function* ({ company, mode, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), size }
    const found = yield* client.call("listDeliveries", { params: paramsOf({ company, mode }), query })
    yield* printPiece(found, [
      ["ID", (one) => one.id],
      ["TYPE", (one) => one.type],
      ["JOURNEY", (one) => one.journeyId],
      ["STATUS", (one) => one.status],
      ["ATTEMPTS", (one) => one.attempts.at(-1)?.number ?? 0],
      ["LAST OUTCOME", (one) => outcomeOf(one.attempts.at(-1))],
      ["NEXT ATTEMPT", (one) => one.nextAttemptAt]
    ])
  })
).pipe(Command.withDescription("List what was sent and how it went, newest first"))

export const delivery = Command.make(
  "delivery",
  { ...endpoint, event },
  Effect.fn("webhooks delivery")(function* ({ event, ...flags }) {
    const client = yield* SettingsClient
    const params = { ...paramsOf(flags), deliveryId: event }
    yield* printDelivery(yield* client.call("getDelivery", { params }))
  })
).pipe(Command.withDescription("Show one delivery with its attempts"))

export const resend = Command.make(
  "resend",
  { ...endpoint, event },
  Effect.fn("webhooks resend")(function* ({ event, ...flags }) {
    const client = yield* SettingsClient
    const params = { ...paramsOf(flags), deliveryId: event }
    yield* printDelivery(yield* client.call("resendDelivery", { params }))
  })
).pipe(Command.withDescription("Send one event again now"))

export const resendSince = Command.make(
  "resend-since",
  {
    ...endpoint,
    since: Argument.String("since").pipe(Argument.withDescription("From when on, such as 2030-01-31T09:30:00Z")),
    types: Flag.Literals("type", journeyEventTypes).pipe(
      Flag.withDescription("Only this event; repeat it for several, leave it out for what the endpoint has chosen"),
      Flag.between(0, journeyEventTypes.length)
    ),
    journey: textFlag("journey", "Only events of this journey"),
    delivered: toggle("delivered", "Whether events that were delivered are sent again as well")
  },
  Effect.fn("webhooks resend-since")(function* ({ delivered, journey, since, types, ...flags }) {
    const client = yield* SettingsClient
    const payload: ResendBody = {
      since,
      ...(types.length === 0 ? {} : { types }),
      ...given({ delivered, journeyId: journey })
    }
    yield* printOne(yield* client.call("startResend", { params: paramsOf(flags), payload }))
  })
).pipe(Command.withDescription("Send every missed event since a time again; watch it with resends"))

export const statistics = Command.make(
  "statistics",
  {
    ...endpoint,
    hours: Flag.Int("hours").pipe(
      Flag.withDefault(webhookLimits.usualStatisticsHours),
      Flag.withDescription(
        `How many hours, up to ${webhookLimits.mostStatisticsHours}; left out, ${webhookLimits.usualStatisticsHours}`
      )
    )
  },
  Effect.fn("webhooks statistics")(function* ({ hours, ...flags }) {
    const client = yield* SettingsClient
    const found = yield* client.call("getWebhookStatistics", { params: paramsOf(flags), query: { hours } })
    yield* printWithList({ thing: found, list: { name: "perHour", entries: found.perHour } }, [
      ["HOUR", (one) => one.hour],
      ["DELIVERED", (one) => one.delivered],
      ["FAILED", (one) => one.failed],
      ["P50 MS", (one) => one.p50Millis],
      ["P95 MS", (one) => one.p95Millis]
    ])
  })
).pipe(Command.withDescription("Show how attempts went by the hour, and what waits"))

export const resendTask = Command.make(
  "resend-task",
  { ...endpoint, task: Argument.String("resend").pipe(Argument.withDescription("The resend's id")) },
  Effect.fn("webhooks resend-task")(function* ({ task, ...flags }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getResend", { params: { ...paramsOf(flags), taskId: task } }))
  })
).pipe(Command.withDescription("Show how far a resend of many is"))

export const resends = Command.make(
  "resends",
  { ...endpoint, ...page },
  Effect.fn("webhooks resends")(function* ({ page, size, ...flags }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listResends", { params: paramsOf(flags), query: { page, size } })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["STATE", (one) => one.state],
      ["SINCE", (one) => one.since],
      ["QUEUED", (one) => one.queued],
      ["PENDING", (one) => one.counts.PENDING],
      ["DELIVERED", (one) => one.counts.DELIVERED],
      ["GIVEN UP", (one) => one.counts.GIVEN_UP],
      ["PARKED", (one) => one.counts.PARKED],
      ["FINISHED", (one) => one.finishedAt]
    ])
  })
).pipe(Command.withDescription("List resends of many, newest first"))
