/**
 * The sentences of the document: how to call the API, and how to receive and verify its events. Numbers and names come
 * from the code that holds them.
 */
import { Duration } from "effect"
import { retryDelaysMillis } from "../../actors/webhook/rules/backoff.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { secretText, signatureHeader, signingKey } from "../../actors/webhook/rules/signature.ts"
import { defaultToleranceSeconds } from "../../actors/webhook/verifier.js"
import { simulatableEvents } from "../../schema/journey/events.ts"
import { scenarios } from "../../schema/journey/sandbox.ts"
import { largestPhotoBytes } from "../../schema/start/rules.ts"
import { httpLimits, rateLimitSeconds } from "../server/limits.ts"
import { inWords } from "./durations.ts"
import { verifyLines } from "./verifyLines.ts"

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`

/** An invented delivery, small enough to check by hand. The page /docs, the README and the tests show this one example. */
export const signatureExample = (() => {
  const secret = secretText(Buffer.from("an example secret of 32 bytes..."))
  const t = 1_768_473_000
  const body = '{"id":"019bc0a1-7c00-7004-8000-000000000001","type":"ping"}'
  const header = signatureHeader([signingKey(secret)], t, body)
  return { secret, t, body, header, v1: header.slice(header.indexOf("v1=") + "v1=".length) }
})()

const envelope = `
Every answer has one form:

\`\`\`json
{ "success": true, "data": {}, "message": "Journey accepted", "errors": null }
\`\`\`

When \`success\` is false, \`data\` is null and \`errors\` lists every problem found, each with \`field\`, \`code\` and \`message\`.
Act on \`errors[0].code\`: codes are stable, messages are for people and may change. The \`Link\` header of a failure leads to
the page of its code, such as [/docs/errors/VALIDATION_FAILED](/docs/errors/VALIDATION_FAILED): when it comes, and what to do. Beside this
reference there are [guides](/docs/guides) and a [search](/docs/search) over everything. Times are ISO 8601 in UTC.
`.trim()

export const about = `
Runs vehicle sale journeys for dealers and finance brokers. You start a journey with one request; the service then takes
the customer through what the sale needs (a finance application, an identity check, the handover of the vehicle) by email
and in its app, and tells you how it goes with signed events and whenever you read the journey.

| type | what happens |
|---|---|
| \`FINANCE_IDENTITY_DELIVERY\` | Finance, identity check, handover. The application is on your own panel already (\`ALREADY_SUBMITTED\`, and you send the lender's decision), or the service submits it to the company's panel (\`SUBMIT_VIA_MIRA\`). The handover is created once finance is approved and identity is verified, in either order. |
| \`IDENTITY_DELIVERY\` | Finance is approved already: identity check, then handover. |
| \`DELIVERY\` | Handover only. \`CASH_SALE\` (dealer keys) checks the customer's identity on the way; \`FINANCE_SALE\` compares the customer in the handover video with a photo you send. |

## Requests and answers

Bodies are JSON in UTF-8, at most ${mebibytes(httpLimits.largestJsonBytes)}; only a start with a photo is multipart, and its photo a JPEG or PNG of at
most ${mebibytes(largestPhotoBytes)} that shows exactly one clear face. A field that is not listed is refused. ${envelope}

Text is trimmed and brought into Unicode's composed form (NFC) before it is judged, kept and shown again, and its length is counted in
characters, an emoji as one. A blank text counts as left out. \`null\` does not: leave out what you do not know.

## Keys

Every request carries \`Authorization: Bearer <key>\`. Keys that begin with \`svc_live_\` run real journeys, keys that begin
with \`svc_test_\` run the sandbox. A key belongs to one company and sees the journeys that its company started in its own
mode, and nothing else: any other id answers \`JOURNEY_NOT_FOUND\`. The owner makes, rotates and expires keys in the company's
settings; a rotated key stops working at once.

## Idempotency

A start needs the header \`Idempotency-Key\`: 8 to 255 letters, digits or \`. _ : -\`, one for each journey you mean to start,
such as your deal id. If an answer never reached you, send the same request again with the same key:

- the same body answers 200 with \`Idempotent-Replayed: true\` and the journey as it is now; no second journey exists;
- another body, or the same on another test clock, answers 409 \`IDEMPOTENCY_KEY_REUSED\`;
- a start that was refused, or answered 503, has kept nothing: correct it, or wait, and use the same key.

A key belongs to the company and mode, so it also works after an API key was rotated. White space, member order and the
spelling of numbers do not make a body different. The other operations on a journey, and those that make and advance
a test clock, take the header too, if you send it.

## Rate limits

Each key may make 500 requests in any ${rateLimitSeconds} seconds, unless this installation sets another number: \`RateLimit-Policy\` says
what holds, and \`RateLimit\` what is left. A request above it answers 429 \`RATE_LIMITED\`, with the seconds to wait in \`Retry-After\`.

## Sandbox

A test key runs the same API on simulated journeys: no customer is mailed, nothing is charged, no handover takes place, and
\`livemode\` is false everywhere. A test journey advances by itself every few seconds until it is complete; when it waits for
your finance decision it gives you a little longer. Simulate forces what you want to see. A photo is checked as in
live mode and then discarded; mails go to the company's administrator, marked TEST.

A tag in the customer's email address chooses another path, as in \`ann+identity_failed@example.com\`:

| tag | what happens |
|---|---|
${Object.entries(scenarios)
  .map(([scenario, effect]) => `| \`+${scenario}\` | ${effect} |`)
  .join("\n")}

Simulate takes ${simulatableEvents.map((event) => `\`${event}\``).join(", ")}.

## Versions

The path carries the major version, and every event its \`apiVersion\`. Within v1 there may be, without notice: new
optional request fields, new members in answers and events, new event types, new values of the enumerations in answers,
new error codes for new conditions. Read tolerantly. Whatever would break a caller gets a new path; the old one then stays
for 12 months and announces its end with the headers \`Deprecation\` and \`Sunset\` and by mail to the administrators.
`.trim()

export const aboutSettings = `
The settings of this installation: companies with their API keys, wallets and webhook endpoints, and what their teams do. Programs ask
with the operator token, the console's pages with the session of a member. Those who start journeys need only the Journeys API.

## Requests and answers

Bodies are JSON in UTF-8, at most ${mebibytes(httpLimits.largestJsonBytes)}. A field that is not listed is refused. ${envelope}

Every change is in the audit log. Answers grow as those of the Journeys API do: read tolerantly.
`.trim()

export const aboutCallbacks = `
What a company's finance panel and identity provider call back with. The service sends them applications and checks, and they answer
here, as soon as they know.

## Requests and answers

Bodies are JSON in UTF-8, at most ${mebibytes(httpLimits.largestCallbackBytes)}, and with a portrait ${mebibytes(httpLimits.largestIdentityCallbackBytes)}. A field that is not listed is refused. ${envelope}

**Sign every callback** over its exact bytes, with the secret that both sides know. An unsigned callback, a badly signed one and one about
an unknown id are answered alike.
`.trim()

export const aboutWebhooks = `
Events are POSTed as JSON to the endpoint that the company set up for their mode, one for live and one for test. An endpoint
is HTTPS on port 443 or 8443. It receives every event, or those that the company chose by name or by group (\`identity.*\`), and
always \`ping\`.

**Verify every delivery.** \`Service-Signature\` is \`t=<unix seconds>,v1=<hex>\`, where \`v1\` is the HMAC-SHA256 of
\`t + "." + body\`. The key is the endpoint's whole secret as it was shown to you, \`whsec_\` included, as UTF-8 bytes. Take the body as
the exact bytes received, before anything parses them; compare in constant time; refuse a \`t\` more than ${defaultToleranceSeconds} seconds from now.
For a while after the secret was rolled there is a \`v1\` of each secret that signs: one match is enough.

\`\`\`js
${verifyLines.Node}
\`\`\`

\`\`\`python
${verifyLines.Python}
\`\`\`

\`\`\`php
${verifyLines.PHP}
\`\`\`

To check your code: with the secret \`${signatureExample.secret}\`, \`t\` ${signatureExample.t} and the body \`${signatureExample.body}\`,
\`v1\` is \`${signatureExample.v1}\`.

**Answer 2xx within ${inWords(Duration.toMillis(webhookLimits.exchangeTimeout))}**, then do the work. Redirects are not followed. A delivery that fails is repeated after
${retryDelaysMillis.map(inWords).join(", ")}, and then given up; it can be resent from the delivery log. An endpoint that nothing has
reached for ${inWords(Duration.toMillis(webhookLimits.turnedOffAfter))} is turned off, and the company's administrator is mailed.

**Expect repeats and any order.** De-duplicate by the event's id. Within a journey \`createdAt\` rises with every event,
and \`Service-Event-Sequence\` counts them; or simply read the journey, which is never behind its events. Events hold ids and
statuses, never personal details.
`.trim()
