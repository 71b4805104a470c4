/** A new secret of a webhook endpoint, random. Its text is made and read by the rules of signatures. */
import { SecureRandom } from "effect/crypto"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { secretText } from "./rules/signature.ts"

export const newSigningSecret = (): string => secretText(SecureRandom.randomBytesUnsafe(webhookLimits.secretBytes))
