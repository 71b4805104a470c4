/**
 * Reads a message that a test or a file gives, as a program in plain JavaScript may: one that no journey knows is refused with a
 * sentence. What a message does is the rules' to say.
 */
import { Result, Schema } from "effect"
import { memberOf } from "../../src/schema/decoding/record.ts"
import { JourneyMessage } from "../../src/schema/journey/messages.ts"

const decode = Schema.decodeUnknownResult(JourneyMessage)

const tags: ReadonlyArray<string> = JourneyMessage.members.map(({ fields }) => fields._tag.schema.literal).toSorted()

/** `whose`: what the message is of, as the error begins. */
export const knownMessage = (message: unknown, whose: string): JourneyMessage => {
  const tag = memberOf(message, "_tag")
  if (typeof tag !== "string" || !tags.includes(tag)) {
    const name = tag === undefined ? "has no _tag" : `is ${JSON.stringify(tag)}, which is no message`
    throw new Error(`${whose} ${name}. Messages are ${tags.join(", ")}`)
  }
  const decoded = decode(message)
  if (Result.isFailure(decoded)) throw new Error(`${whose} is no ${tag}: ${decoded.failure.message}`)
  return decoded.success
}
