/**
 * The part of the settings API that is about webhooks, as a contract: endpoints, trying them out, their delivery log and
 * sending again. What a delivery looks like to its receiver is in `webhooks.ts`.
 */
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { DeliveryResource, ResendTaskResource } from "../../schema/webhook/WebhookDelivery.ts"
import { DeliveryQuery, PageQuery } from "../../schema/parameters.ts"
import { SavedWebhookEndpointResource, WebhookEndpointResource } from "../../schema/webhook/Endpoint.ts"
import { ResendBody, SampleBody, SecretRollBody, WebhookEndpointBody } from "../../schema/webhook/webhookSettings.ts"
import { answerOf, cursorPageOf, failuresOf } from "../server/envelope.ts"
import { refusals } from "./refusals.ts"
import { accepted, company, ofCompany, pages, says, uuid } from "./settingsParts.ts"

const ofEndpoint = {
  ...ofCompany,
  mode: Schema.Literals(["live", "test"]).annotate({ description: "Which of the company's two endpoints" })
}
const ofDelivery = { ...ofEndpoint, deliveryId: uuid.annotate({ description: "The event's id" }) }
const ofResend = { ...ofEndpoint, taskId: uuid.annotate({ description: "The resend's id" }) }

const endpoint = `${company}/webhook-endpoints/:mode` as const
const deliveries = `${endpoint}/deliveries` as const
const delivery = `${deliveries}/:deliveryId` as const
const resends = `${endpoint}/resends` as const

const EndpointAnswer = answerOf("WebhookEndpointAnswer", WebhookEndpointResource)
const SavedEndpointAnswer = answerOf("SavedWebhookEndpointAnswer", SavedWebhookEndpointResource)
const DeliveryAnswer = answerOf("DeliveryAnswer", DeliveryResource)
const ResendAnswer = answerOf("ResendTaskAnswer", ResendTaskResource)

export const ofWebhookEndpoints = [
  HttpApiEndpoint.put("saveWebhookEndpoint", endpoint, {
    params: ofEndpoint,
    payload: WebhookEndpointBody,
    success: SavedEndpointAnswer,
    error: failuresOf(refusals.saveWebhookEndpoint)
  }).annotateMerge(
    says(
      "Save a webhook endpoint",
      "Makes the endpoint, changes it, or turns it on again. A new URL gets a new secret, which is shown only in this answer; with the URL it had, the endpoint keeps its secret. `enabled: false` turns it off: events are then kept until they are resent. A choice of events holds for those made afterwards."
    )
  ),
  HttpApiEndpoint.get("getWebhookEndpoint", endpoint, {
    params: ofEndpoint,
    success: EndpointAnswer,
    error: failuresOf(refusals.getWebhookEndpoint)
  }).annotateMerge(
    says("Get a webhook endpoint", "The endpoint, and since when nothing reaches it; its secret is never shown.")
  ),
  HttpApiEndpoint.delete("removeWebhookEndpoint", endpoint, {
    params: ofEndpoint,
    success: EndpointAnswer,
    error: failuresOf(refusals.removeWebhookEndpoint)
  }).annotateMerge(
    says(
      "Remove a webhook endpoint",
      "Nothing is sent there any more, and its secret is gone. Its delivery log stays; saving an endpoint again brings it back."
    )
  ),
  HttpApiEndpoint.post("rollWebhookSecret", `${endpoint}/roll-secret`, {
    params: ofEndpoint,
    payload: SecretRollBody,
    success: SavedEndpointAnswer,
    error: failuresOf(refusals.rollWebhookSecret)
  }).annotateMerge(
    says(
      "Roll the secret",
      "Gives the endpoint a new secret, shown only in this answer. For `overlapHours` deliveries are signed with both, the new one first."
    )
  ),
  HttpApiEndpoint.post("pingWebhookEndpoint", `${endpoint}/ping`, {
    params: ofEndpoint,
    success: DeliveryAnswer,
    error: failuresOf(refusals.pingWebhookEndpoint)
  }).annotateMerge(
    says(
      "Ping",
      "Sends a `ping` now and answers with what came of it. Works while the endpoint is off, and counts neither for nor against it."
    )
  ),
  HttpApiEndpoint.post("sendSampleEvent", `${endpoint}/sample`, {
    params: ofEndpoint,
    payload: SampleBody,
    success: DeliveryAnswer,
    error: failuresOf(refusals.sendSampleEvent)
  }).annotateMerge(
    says(
      "Send a sample",
      "Sends an example of an event now, as a ping is sent. It is of no journey, and its ids are invented. To the test endpoint only; for the live one it answers 404."
    )
  )
] as const

export const ofDeliveries = [
  HttpApiEndpoint.get("listDeliveries", deliveries, {
    params: ofEndpoint,
    query: DeliveryQuery,
    success: answerOf("DeliveryPageAnswer", cursorPageOf("DeliveryPage", DeliveryResource)),
    error: failuresOf(refusals.listDeliveries)
  }).annotateMerge(
    says(
      "List deliveries",
      "The delivery log, newest event first, each with its latest attempts. Go on with `next` as `cursor` until it is null: with a filter, a page can hold few entries, or none, and not be the last."
    )
  ),
  HttpApiEndpoint.get("getDelivery", delivery, {
    params: ofDelivery,
    success: DeliveryAnswer,
    error: failuresOf(refusals.getDelivery)
  }).annotateMerge(says("Get a delivery", "One event on its way to the endpoint; it bears the event's id.")),
  HttpApiEndpoint.post("resendDelivery", `${delivery}/resend`, {
    params: ofDelivery,
    success: DeliveryAnswer,
    error: failuresOf(refusals.resendDelivery)
  }).annotateMerge(
    says(
      "Resend an event",
      `Sends the event again now, with the same id and a schedule of its own, whatever became of it before; also one that was made while there was no endpoint. Events can be resent for ${webhookLimits.resendableDays} days. Not while the endpoint is off.`
    )
  ),
  HttpApiEndpoint.post("startResend", `${endpoint}/resend`, {
    params: ofEndpoint,
    payload: ResendBody,
    success: ResendAnswer.pipe(accepted),
    error: failuresOf(refusals.startResend)
  }).annotateMerge(
    says(
      "Resend missed events",
      "Sends again every event since a time that was given up, parked or never sent, oldest first and beside new ones. The answer is a task to watch; one runs at a time. Not while the endpoint is off."
    )
  ),
  HttpApiEndpoint.get("listResends", resends, {
    params: ofEndpoint,
    query: PageQuery,
    success: pages("ResendTaskPage", ResendTaskResource),
    error: failuresOf(refusals.listResends)
  }).annotateMerge(says("List resends", "The resends of the endpoint, newest first, with how their events stand.")),
  HttpApiEndpoint.get("getResend", `${resends}/:taskId`, {
    params: ofResend,
    success: ResendAnswer,
    error: failuresOf(refusals.getResend)
  }).annotateMerge(says("Get a resend", "How far it is, and how the events it sent stand."))
] as const
