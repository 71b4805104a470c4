/**
 * `journeys webhooks`: where a company's events go. A new secret is printed once, by the command that made it. What was
 * sent, and sending it again, is in `deliveryCommands.ts`.
 */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eventSelectors } from "../../../schema/webhook/EventSelection.ts"
import { OverlapHours, type SavedWebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { journeyEventTypes } from "../../../schema/webhook/EventSelection.ts"
import type { SecretRollBody, WebhookEndpointBody } from "../../../schema/webhook/Endpoint.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { deliveries, delivery, resend, resends, resendSince, resendTask, statistics } from "./deliveryCommands.ts"
import { endpoint, paramsOf, printDelivery } from "./endpointParameters.ts"
import { choiceArgument, given, required, toggle } from "../frame/parameters.ts"
import { printOne, printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

/** Prints an endpoint after a change that may have given it a new secret. */
const printSaved = (saved: SavedWebhookEndpointResource) =>
  printOne(saved, saved.secret === undefined ? [] : ["", "The secret is shown only now: keep it safe."])

const set = Command.make(
  "set",
  {
    ...endpoint,
    url: Argument.String("url").pipe(Argument.withDescription("Where events are sent: https on port 443 or 8443")),
    events: Flag.String("event").pipe(
      Flag.withDescription(
        "An event, a group such as identity.*, or *; repeat it for several, leave it out to keep all"
      ),
      Flag.between(0, eventSelectors.length)
    ),
    enabled: toggle("enabled", "Whether it is on; --no-enabled: no; left out, it is turned on")
  },
  Effect.fn("webhooks set")(function* ({ enabled, events, url, ...flags }) {
    const client = yield* SettingsClient
    const payload: WebhookEndpointBody = { url, ...given({ enabled }), ...(events.length === 0 ? {} : { events }) }
    yield* printSaved(yield* client.call("saveWebhookEndpoint", { params: paramsOf(flags), payload }))
  })
).pipe(Command.withDescription("Set an endpoint, or turn it on again; another URL gets another secret"))

const show = Command.make(
  "show",
  endpoint,
  Effect.fn("webhooks show")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getWebhookEndpoint", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Show an endpoint, without its secret"))

const remove = Command.make(
  "remove",
  endpoint,
  Effect.fn("webhooks remove")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("removeWebhookEndpoint", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Take an endpoint away; its delivery log stays"))

const rollSecret = Command.make(
  "roll-secret",
  {
    ...endpoint,
    overlapHours: Flag.Literals("overlap-hours", OverlapHours.literals.map(String)).pipe(
      required("Hours for which the old secret signs as well")
    )
  },
  Effect.fn("webhooks roll-secret")(function* ({ overlapHours, ...flags }) {
    // The names of the choices are made of the numbers.
    const client = yield* SettingsClient
    const payload: SecretRollBody = { overlapHours: Number(overlapHours) as SecretRollBody["overlapHours"] }
    yield* printSaved(yield* client.call("rollWebhookSecret", { params: paramsOf(flags), payload }))
  })
).pipe(Command.withDescription("Give an endpoint another secret"))

const ping = Command.make(
  "ping",
  endpoint,
  Effect.fn("webhooks ping")(function* (flags) {
    const client = yield* SettingsClient
    yield* printDelivery(yield* client.call("pingWebhookEndpoint", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Send a ping now, and show what came of it"))

const check = Command.make(
  "check",
  endpoint,
  Effect.fn("webhooks check")(function* (flags) {
    const client = yield* SettingsClient
    const found = yield* client.call("checkWebhookEndpoint", { params: paramsOf(flags) })
    yield* printWithList({ thing: found, list: { name: "lines", entries: found.lines } }, [
      ["PROBE", (one) => one.probe],
      ["PASSED", (one) => one.passed],
      ["MS", (one) => one.durationMillis],
      ["DID", (one) => one.did],
      ["SHOULD", (one) => one.should]
    ])
    const wrong = found.lines.filter(({ passed }) => passed !== true).map(({ probe }) => probe)
    if (wrong.length > 0) return yield* new CommandFailed({ message: `the receiver did not pass: ${wrong.join(", ")}` })
  })
).pipe(
  Command.withDescription(
    "Send the receiver what it must cope with, and show what it did and should have done; exit code 1 unless it passed. A live endpoint gets pings only"
  )
)

const sample = Command.make(
  "sample",
  {
    company: endpoint.company,
    type: choiceArgument("type", journeyEventTypes, "Which event")
  },
  Effect.fn("webhooks sample")(function* ({ company, type }) {
    const client = yield* SettingsClient
    const params = paramsOf({ company, mode: "test" })
    yield* printDelivery(yield* client.call("sendSampleEvent", { params, payload: { type } }))
  })
).pipe(Command.withDescription("Send an example of an event to the test endpoint now, and show what came of it"))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Webhook endpoints of a company, and their delivery logs"),
  Command.withSubcommands([
    set,
    show,
    remove,
    rollSecret,
    ping,
    check,
    sample,
    deliveries,
    delivery,
    resend,
    resendSince,
    resends,
    resendTask,
    statistics
  ])
)
