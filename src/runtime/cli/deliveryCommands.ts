/** `journeys webhooks deliveries` and what follows from it: the delivery log, and sending events again. */
import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { DeliveryResource, LogStatus, ResendTaskResource } from "../../schema/webhook/WebhookDelivery.ts"
import { eventTypes } from "../../schema/journey/events.ts"
import { journeyEventTypes, type ResendBody } from "../../schema/webhook/webhookSettings.ts"
import { endpoint, endpointPath, outcomeOf, printDelivery } from "./endpointParameters.ts"
import { given, page, pageOf, pageQuery, segment, text, toggle } from "./parameters.ts"
import { printOne, printPage, printPiece } from "./printing.ts"
import { SettingsClient, type Call } from "./SettingsClient.ts"

const Deliveries = Schema.Struct({ content: Schema.Array(DeliveryResource), next: Schema.NullOr(Schema.String) })

const event = Argument.String("delivery").pipe(Argument.withDescription("The delivery's id, which is the event's"))

export const deliveries = Command.make(
  "deliveries",
  {
    ...endpoint,
    status: Flag.Literals("status", LogStatus.literals).pipe(
      Flag.withDescription("Only deliveries that stand so"),
      Flag.optional
    ),
    type: Flag.Literals("type", eventTypes).pipe(Flag.withDescription("Only this event"), Flag.optional),
    journey: text("journey", "Only events of this journey"),
    cursor: text("cursor", "Where to go on, as the command before said"),
    size: page.size
  },
  Effect.fn("webhooks deliveries")(function* ({ cursor, journey, size, status, type, ...flags }) {
    const client = yield* SettingsClient
    const path = `${endpointPath(flags)}/deliveries` as const
    const query = { ...given({ cursor, journeyId: journey, status, type }), size: String(size) }
    const found = yield* client.call(Deliveries, { method: "GET", path, query })
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

const callOne = Effect.fnUntraced(function* (call: Call) {
  const client = yield* SettingsClient
  yield* printDelivery(yield* client.call(DeliveryResource, call))
})

export const delivery = Command.make(
  "delivery",
  { ...endpoint, event },
  Effect.fn("webhooks delivery")(function* ({ event, ...flags }) {
    yield* callOne({ method: "GET", path: `${endpointPath(flags)}/deliveries/${segment(event)}` })
  })
).pipe(Command.withDescription("Show one delivery with its attempts"))

export const resend = Command.make(
  "resend",
  { ...endpoint, event },
  Effect.fn("webhooks resend")(function* ({ event, ...flags }) {
    yield* callOne({ method: "POST", path: `${endpointPath(flags)}/deliveries/${segment(event)}/resend` })
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
    journey: text("journey", "Only events of this journey"),
    delivered: toggle("delivered", "Whether events that were delivered are sent again as well")
  },
  Effect.fn("webhooks resend-since")(function* ({ delivered, journey, since, types, ...flags }) {
    const client = yield* SettingsClient
    const body: ResendBody = {
      since,
      ...(types.length === 0 ? {} : { types }),
      ...given({ delivered, journeyId: journey })
    }
    const path = `${endpointPath(flags)}/resend` as const
    yield* printOne(yield* client.call(ResendTaskResource, { method: "POST", path, body }))
  })
).pipe(Command.withDescription("Send every missed event since a time again; watch it with resends"))

export const resends = Command.make(
  "resends",
  { ...endpoint, ...page },
  Effect.fn("webhooks resends")(function* (flags) {
    const client = yield* SettingsClient
    const path = `${endpointPath(flags)}/resends` as const
    const found = yield* client.call(pageOf(ResendTaskResource), { method: "GET", path, query: pageQuery(flags) })
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
