/** What goes along with a message and is personal: it is sealed with the customer's key, or left out. */
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { doneByJourneyWith } from "../../../../src/actors/journey/actor/askJourney.ts"
import type { JourneyRequest } from "../../../../src/actors/journey/actor/JourneyEntity.ts"
import { JourneyMailbox } from "../../../../src/actors/journey/actor/JourneyMailbox.ts"
import { JourneyStore, notePlace, type CustomerKey } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { Vault } from "../../../../src/actors/kernel/Vault.ts"
import * as AesVault from "../../../../src/runtime/keys/AesVault.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"

const vault = AesVault.make(new Uint8Array(32))
const journeyId = JourneyId.make("journey")
const note = "Ring twice."

/** The request that comes to a journey of whose customer this is kept. */
const sentWith = async (customer: CustomerKey | null): Promise<JourneyRequest | undefined> => {
  const sent: Array<JourneyRequest> = []
  const ask = {
    journeyId,
    messageId: "message",
    sender: "test",
    scope: { companyId: CompanyId.make("company"), livemode: true },
    message: { _tag: "Cancel" }
  } as const
  await Effect.runPromise(
    Effect.ignore(doneByJourneyWith(ask, { note, photo: Buffer.from("a photo") })).pipe(
      Effect.provide([
        Layer.mock(JourneyMailbox, {
          ask: (_id, request) => Effect.sync(() => (sent.push(request), { _tag: "NoJourney" as const }))
        }),
        Layer.mock(JourneyStore, { customerKey: () => Effect.succeed(customer) }),
        Layer.succeed(Vault, vault)
      ])
    )
  )
  return sent[0]
}

it("a note and a photo travel sealed with the customer's key", async () => {
  const key = await Effect.runPromise(vault.newKey)
  const sent = await sentWith({ customerId: "customer", wrappedKey: key.wrapped })
  const sealed = Buffer.from(sent?.sealedNote ?? "", "base64")
  expect(await Effect.runPromise(key.open(notePlace(journeyId), sealed))).toBe(note)
  expect(Buffer.from(sent?.sealedPhoto ?? "", "base64").includes("a photo")).toBe(false)
})

it("nothing personal goes along when the customer was erased", async () => {
  expect(await sentWith(null)).toMatchObject({ messageId: "message", sealedNote: null, sealedPhoto: null })
})
