/** When a POST to a provider is signed. The provider holds the handshake back for as long as the test says, and the test holds the clock. */
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Sender } from "../../../src/actors/webhook/actor/Sender.ts"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { signedPost } from "../../../src/runtime/providers/signedPost.ts"
import * as UndiciSender from "../../../src/runtime/webhooks/UndiciSender.ts"
import { receiverAuthority, startHeldReceiver } from "../../support/heldReceiver.ts"
import { resolverOf } from "../openChannel.ts"

const secret = "a-secret-of-the-provider"
const sending = UndiciSender.layerOf({ allowInsecure: true, certificates: [receiverAuthority] }).pipe(
  Layer.provide(resolverOf())
)

it.effect("a POST to a provider is signed when the handshake with the provider has ended", () =>
  Effect.gen(function* () {
    const held = yield* Effect.acquireRelease(Effect.promise(startHeldReceiver), ({ stop }) => Effect.promise(stop))
    const provider = { url: held.url, secret: Redacted.make(secret) }
    const body = { submissionId: "1" }
    const posted = yield* Effect.forkChild(
      signedPost(yield* Sender, { allowInsecure: true }, { provider, requestId: "1", body })
    )
    yield* Effect.promise(() => held.taken(1))
    yield* TestClock.adjust("9 seconds")
    held.letGo()
    expect(yield* Fiber.join(posted)).toEqual({ _tag: "Unknown", reason: "HTTP_500" })
    expect(held.received[0]?.headers).toMatchObject({
      "service-timestamp": "9",
      "service-signature": signatureHeader([signingKey(secret)], 9, JSON.stringify(body))
    })
  }).pipe(Effect.provide(sending))
)
