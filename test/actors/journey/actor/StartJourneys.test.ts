/**
 * Starts with a store that answers as each test wants. Whoever starts a journey hears "nothing was created" only while no try of the start
 * may have been written: at first nobody knew here what became of one.
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { WalletStore } from "../../../../src/actors/company/WalletStore.ts"
import { FaceCheck } from "../../../../src/actors/faces/FaceCheck.ts"
import { Alarms } from "../../../../src/actors/journey/actor/Alarms.ts"
import { JourneyStore } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { SandboxPace } from "../../../../src/actors/journey/actor/SandboxPace.ts"
import * as StartJourneys from "../../../../src/actors/journey/actor/start/StartJourneys.ts"
import { TestClocks } from "../../../../src/actors/journey/actor/TestClocks.ts"
import { commitLimits } from "../../../../src/actors/kernel/limits.ts"
import { CommitUnknown, StoreUnavailable } from "../../../../src/actors/kernel/StoreError.ts"
import { Vault } from "../../../../src/actors/kernel/Vault.ts"
import * as AesVault from "../../../../src/runtime/keys/AesVault.ts"
import * as NodeIds from "../../../../src/runtime/node/NodeIds.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { defaultSandboxSwitches } from "../../../../src/schema/company/SandboxSwitches.ts"
import { decodeStart } from "../../../../src/schema/start/decodeStart.ts"
import { startExamples } from "../../../../src/schema/start/examples.ts"

const vault = AesVault.make(new Uint8Array(32))

type Store = JourneyStore["Service"]
type Tried = ReturnType<Store["start"]>

const unknown: Tried = Effect.fail(new CommitUnknown({ cause: "the connection broke" }))
const away = Effect.fail(new StoreUnavailable({ cause: "away" }))
const short: Tried = Effect.succeed({ _tag: "CreditsShort", wallet: "IDENTITY" })
const taken: Tried = Effect.succeed({ _tag: "KeyTaken" })
const known: Tried = Effect.map(vault.newKey, ({ wrapped }) => ({
  _tag: "CustomerKnown",
  customer: { customerId: "customer", wrappedKey: wrapped }
}))

const requestAt = (now: number) =>
  decodeStart(startExamples.CASH_SALE, {
    companyKind: "DEALER",
    isDealerKnown: true,
    now,
    transport: "JSON",
    photo: null
  })

/** Starts a live journey; what its tries come to, one after the other, and what becomes of looks for its key. */
const startedWith = (tries: ReadonlyArray<Tried>, findByKey: Store["findByKey"]) => {
  const left = [...tries]
  const company = {
    id: CompanyId.make("company"),
    kind: "DEALER",
    active: true,
    identityBy: "BUILT_IN",
    hasFinancePanel: false,
    identityWindowDays: 7,
    handoverWindowDays: 7,
    sandbox: defaultSandboxSwitches
  } as const
  const started = Effect.gen(function* () {
    const journeys = yield* StartJourneys.StartJourneys
    return yield* journeys.start({
      key: { livemode: true, company },
      sender: "test",
      idempotencyKey: "key",
      canonical: "{}",
      request: requestAt(0),
      photo: null
    })
  })
  return Effect.gen(function* () {
    const starting = yield* Effect.forkChild(Effect.flip(started), { startImmediately: true })
    yield* TestClock.adjust(commitLimits.retryEvery)
    yield* TestClock.adjust(Duration.times(commitLimits.knownWithin, 2))
    const failure = yield* Fiber.join(starting)
    assert.deepStrictEqual(left, [])
    return failure._tag
  }).pipe(
    Effect.provide(
      StartJourneys.layer.pipe(
        Layer.provide([
          Layer.mock(JourneyStore, {
            start: () => Effect.suspend(() => left.shift() ?? Effect.die("one try more")),
            findByKey
          }),
          Layer.mock(WalletStore, {}),
          Layer.mock(FaceCheck, { likeness: () => ({ verdict: "UNCLEAR", similarity: 0 }) }),
          Layer.mock(TestClocks, {}),
          Layer.mock(Alarms, {}),
          Layer.succeed(SandboxPace, { step: Duration.seconds(5), callerStep: Duration.seconds(30) }),
          Layer.succeed(Vault, vault),
          NodeIds.layer
        ])
      )
    )
  )
}

describe("a start of which nobody knew what became", () => {
  it.effect.each([
    [
      "the credits are short that it may have taken itself, and its key cannot be looked up",
      [unknown, short],
      () => away
    ],
    ["its key is taken, perhaps by itself, and cannot be looked up", [unknown, taken], () => away],
    ["its customer is known, perhaps by itself, and the database is away then", [unknown, known, away], () => away]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Tried>, Store["findByKey"]]>)(
    "has an unknown outcome when %s",
    ([, tries, findByKey]) =>
      Effect.map(startedWith(tries, findByKey), (failure) => assert.strictEqual(failure, "OutcomeUnknown"))
  )

  it.effect("has an unknown outcome when the look for its key stays silent", () =>
    Effect.map(
      startedWith([taken], () => Effect.never),
      (failure) => assert.strictEqual(failure, "OutcomeUnknown")
    )
  )
})

it.effect("a start whose customer is known has created nothing when the database is away then", () =>
  Effect.map(
    startedWith([known, away], () => away),
    (failure) => assert.strictEqual(failure, "StoreUnavailable")
  )
)
