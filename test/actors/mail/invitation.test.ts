import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { contentOf } from "../../../src/actors/mail/wording/emailContent.ts"
import { exampleId } from "../../../src/schema/exampleId.ts"
import { oneMail } from "./postmanGround.ts"

/** The text of an invitation by an actor. Nobody of the company of the postman's ground is a member any more. */
const invitationBy = (by: string) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    const { layer } = oneMail(({ email }) => Effect.sync(() => void texts.push(contentOf(email).text)), {
      mail: { kind: "INVITATION", facts: { memberId: exampleId("member", 1), by } },
      baseUrl: "https://journeys.example"
    })
    yield* Effect.andThen(Layer.build(layer), TestClock.adjust("1 second"))
    return texts.join()
  }).pipe(Effect.scoped)

it.effect("an invitation by the operator says so", () =>
  Effect.gen(function* () {
    assert.match(yield* invitationBy("operator"), /, by the operator of this service\./)
  })
)

it.effect("an invitation by a member who was removed meanwhile does not come from the operator", () =>
  Effect.gen(function* () {
    const text = yield* invitationBy(`member:${exampleId("member", 2)}`)
    assert.match(text, /, by a former member\./)
    assert.notInclude(text, "operator")
  })
)

it.effect("an invitation whose member was removed meanwhile takes no place of its address", () =>
  Effect.gen(function* () {
    let counted = 0
    const { layer, told } = oneMail(() => Effect.void, {
      mail: { kind: "INVITATION", facts: { memberId: exampleId("member", 1), by: "operator" } },
      baseUrl: "https://journeys.example",
      member: null,
      admit: () => Effect.sync(() => ((counted += 1), { isAdmitted: true, counted: [], held: null }))
    })
    yield* Effect.andThen(Layer.build(layer), TestClock.adjust("1 second"))
    assert.strictEqual(counted, 0)
    assert.match(told.join(), /^1 struck off/)
  }).pipe(Effect.scoped)
)
