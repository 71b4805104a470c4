/** Which encryption keys a node has, and how many values stand under each, for whoever changes them. A key is named by its id alone. */
import { Schema } from "effect"

const KeyId = Schema.String.annotate({
  description: "The beginning of the key's hash; the node says it of each of its keys"
})
const values = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const EncryptionStatusResource = Schema.Struct({
  keys: Schema.Array(
    Schema.Struct({
      id: KeyId,
      use: Schema.Literals(["SEALS", "OPENS"]).annotate({
        description: "SEALS: ENCRYPTION_KEY. OPENS: one of ENCRYPTION_KEYS_RETIRED"
      }),
      values,
      mayBeRetired: Schema.Boolean.annotate({
        description:
          "Nothing stands under the key, a newer one has taken its place, and no running node has sealed with it for half a minute: it may leave ENCRYPTION_KEYS_RETIRED"
      }),
      hasSealed: Schema.Boolean.annotate({
        description:
          "Whether any node has begun to seal with it. A key with which none has, and under which nothing stands, is needed only if it is the one to come"
      })
    })
  ),
  content: Schema.Array(
    Schema.Struct({ what: Schema.String.annotate({ description: "What the values are" }), keyId: KeyId, values })
  ).annotate({ description: "How many values of each kind stand under which key" })
}).annotate({ identifier: "EncryptionStatus" })
export type EncryptionStatusResource = typeof EncryptionStatusResource.Type
