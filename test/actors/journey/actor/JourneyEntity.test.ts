/**
 * Messages and answers survive the wire between two nodes. On one node the actor gets the very objects of its caller, so
 * nothing but these tests would see a member that the wire loses.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Equal, Schema } from "effect"
import { RpcSerialization } from "effect/rpc"
import {
  Answer,
  askOnTheWire,
  JourneyEntity,
  JourneyRequest,
  JourneyUnavailable
} from "../../../../src/actors/journey/actor/JourneyEntity.ts"
import { OutcomeUnknown } from "../../../../src/actors/kernel/StoreError.ts"
import { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { FinanceResource, IdentityResource, JourneyResource } from "../../../../src/schema/journey/resource.ts"

/** The value as another node gets it, by the serialization that `manyNodes.ts` uses. */
const overTheWire = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: S["Type"]) =>
  Effect.gen(function* () {
    const { codecFor } = yield* RpcSerialization.RpcSerialization
    const codec = codecFor(schema)
    const sent = yield* Schema.encodeEffect(codec)(value)
    assert.instanceOf(sent, Uint8Array)
    return yield* Schema.decodeUnknownEffect(codec)(Uint8Array.from(sent as Uint8Array))
  }).pipe(Effect.provide(RpcSerialization.layerSchemaBinary()))

/** Without lone surrogates: the service refuses text that holds one before it makes a message of it. */
const wellFormed = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === "string" ? member.toWellFormed() : member
  )

const survives = <S extends Schema.Codec<unknown, unknown>>(schema: S, generated: S["Type"]) => {
  const value = wellFormed(generated)
  return Effect.map(overTheWire(schema, value), (arrived) => assert.isTrue(Equal.equals(arrived, value)))
}

const ask = JourneyEntity.protocol.requests.get(askOnTheWire) ?? assert.fail("the entity takes no requests")

describe("a message to a journey survives the wire", () => {
  for (const member of JourneyMessage.members) {
    const tag = member.fields._tag.schema.literal
    it.effect.prop(`as ${tag}`, [member], ([message]) => survives(JourneyMessage, message))
  }

  it.effect.prop("with whatever goes along with it", [JourneyRequest], ([request]) => survives(JourneyRequest, request))

  it.effect("by the schemas of the entity itself", () =>
    Effect.sync(() => {
      assert.strictEqual<unknown>(ask.payloadSchema, JourneyRequest)
      assert.strictEqual<unknown>(ask.successSchema, Answer)
    })
  )
})

describe("an answer of a journey survives the wire", () => {
  for (const member of Answer.members) {
    const tag = member.fields._tag.schema.literal
    it.effect.prop(`as ${tag}`, [member], ([answer]) => survives(Answer, answer))
  }

  for (const error of [new JourneyUnavailable(), new OutcomeUnknown()]) {
    it.effect(`as ${error._tag}`, () =>
      Effect.map(overTheWire(Schema.Union([JourneyUnavailable, OutcomeUnknown]), error), (arrived) => {
        assert.deepStrictEqual(arrived, error)
      })
    )
  }
})

/** The answer of a node of the version before these members: it has no `failureReason` and no `assurance`. */
const { assurance: _, ...identityBefore } = IdentityResource.fields
const { failureReason: __, ...financeBefore } = FinanceResource.fields
const DoneBefore = Schema.TaggedStruct("Done", {
  journey: Schema.Struct({
    ...JourneyResource.fields,
    finance: Schema.NullOr(Schema.Struct(financeBefore)),
    identity: Schema.optionalKey(Schema.Struct(identityBefore))
  })
})

const AnswerBefore = Schema.Union([DoneBefore, ...Answer.members.slice(1)])

/** A request as the version before the members `requestId` and `auditLine` knows it. */
const { auditLine: ___, requestId: ____, ...fieldsBefore } = JourneyRequest.fields
const RequestBefore = Schema.Struct(fieldsBefore)

describe("while nodes are replaced one after another", () => {
  it.effect.prop(
    "a request with a Request-Id and a line of the audit log is understood by the version before",
    [JourneyRequest],
    ([generated]) =>
      Effect.gen(function* () {
        const request = wellFormed(generated)
        const { codecFor } = yield* RpcSerialization.RpcSerialization
        const sent = yield* Schema.encodeEffect(codecFor(JourneyRequest))(request)
        const arrived = yield* Schema.decodeUnknownEffect(codecFor(RequestBefore))(Uint8Array.from(sent as Uint8Array))
        const { auditLine: _, requestId: __, ...known } = request
        assert.deepStrictEqual<unknown>(arrived, known)
      }).pipe(Effect.provide(RpcSerialization.layerSchemaBinary()))
  )

  it.effect.prop("a request of the version before is understood", [RequestBefore], ([generated]) =>
    Effect.gen(function* () {
      const request = wellFormed(generated)
      const { codecFor } = yield* RpcSerialization.RpcSerialization
      const sent = yield* Schema.encodeEffect(codecFor(RequestBefore))(request)
      const arrived = yield* Schema.decodeUnknownEffect(codecFor(JourneyRequest))(Uint8Array.from(sent as Uint8Array))
      assert.deepStrictEqual<unknown>(arrived, request)
    }).pipe(Effect.provide(RpcSerialization.layerSchemaBinary()))
  )

  it.effect.prop("an answer of the version before is understood", [DoneBefore], ([generated]) =>
    Effect.gen(function* () {
      const before = wellFormed(generated)
      const { codecFor } = yield* RpcSerialization.RpcSerialization
      const sent = yield* Schema.encodeEffect(codecFor(AnswerBefore))(before)
      const arrived = yield* Schema.decodeUnknownEffect(codecFor(Answer))(Uint8Array.from(sent as Uint8Array))
      const { finance, identity } = before.journey
      assert.deepStrictEqual<unknown>(arrived, {
        ...before,
        journey: {
          ...before.journey,
          finance: finance === null ? null : { ...finance, failureReason: null },
          ...(identity === undefined ? {} : { identity: { ...identity, assurance: "NONE" } })
        }
      })
    }).pipe(Effect.provide(RpcSerialization.layerSchemaBinary()))
  )
})
