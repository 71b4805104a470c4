/** Which encryption keys are in use, and when a retired one is needed no more. Keys themselves are settings of the nodes. */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { EncryptionStatus } from "../../../actors/installation/EncryptionStatus.ts"
import { EncryptionStatusResource } from "../../../schema/installation/EncryptionStatus.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"

const newKey = "9b1f04c2d7a86e35"
const oldKey = "4e0a77d1c3958b26"

const getEncryptionStatus = HttpApiEndpoint.get("getEncryptionStatus", "/settings/v1/encryption", {
  success: answerOf("EncryptionStatusAnswer", EncryptionStatusResource),
  error: refusedWith(ofAnyToken)
}).annotateMerge(
  described({
    summary: "Count values under each encryption key",
    description:
      "The keys of the node that answers, and how many values stand under each: while values move to another key, and before the old key is taken away. Every value is counted, which takes about a second for a few million customers.",
    answer: answer("The keys and counts", "Encryption keys", {
      keys: [
        { id: newKey, use: "SEALS", values: 1204, mayBeRetired: false, hasSealed: true },
        { id: oldKey, use: "OPENS", values: 31_877, mayBeRetired: false, hasSealed: true }
      ],
      content: [
        { what: "customers' keys", keyId: newKey, values: 1204 },
        { what: "customers' keys", keyId: oldKey, values: 31_877 }
      ]
    } satisfies EncryptionStatusResource)
  })
)

export const encryptionOperations = operatorResource([getEncryptionStatus], {
  getEncryptionStatus: () =>
    Effect.gen(function* () {
      const { counts, ids, sealingId, uses } = yield* EncryptionStatus
      const content = yield* counts
      const { replaced, sealed } = yield* uses
      const under = (id: string) => content.reduce((sum, one) => (one.keyId === id ? sum + one.values : sum), 0)
      return {
        keys: ids.map((id) => {
          const values = under(id)
          const seals = id === sealingId
          return {
            id,
            use: seals ? ("SEALS" as const) : ("OPENS" as const),
            values,
            mayBeRetired: !seals && values === 0 && replaced.has(id),
            hasSealed: sealed.has(id)
          }
        }),
        content
      }
    })
})
