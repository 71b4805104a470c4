/** Judges what the processes that look at photos answer: a photo may have taken over the process that gave the answer. */
import { Option, Schema } from "effect"
import { KeptLogo } from "../../../schema/company/Brand.ts"
import type { Message } from "../../processes/messages.ts"
import { photoLimits } from "../limits.ts"
import { mostFacesBeside } from "../networks/faceThresholds.ts"
import type { PhotoSeen, PhotosReady } from "./photoMessages.ts"

const Numbers = Schema.Array(Schema.Finite).check(
  Schema.isMinLength(photoLimits.faceNumbers),
  Schema.isMaxLength(photoLimits.faceNumbers)
)
const Line = Schema.Union([
  Schema.TaggedStruct("Check", { facePart: Schema.Finite }),
  Schema.TaggedStruct("Read", { facePart: Schema.Finite, numbers: Numbers }),
  Schema.TaggedStruct("Document", {
    facePart: Schema.Finite,
    numbers: Numbers,
    beside: Schema.Array(Numbers).check(Schema.isMaxLength(mostFacesBeside))
  }),
  Schema.TaggedStruct("Compared", { numbers: Numbers }),
  Schema.TaggedStruct("Logo", KeptLogo.fields),
  Schema.TaggedStruct("Turned", { turned: Schema.Finite }),
  Schema.TaggedStruct("Refused", {
    code: Schema.Literals(["NO_FACE", "MULTIPLE_FACES", "FACE_TOO_SMALL"]),
    isBlurred: Schema.Boolean
  }),
  Schema.TaggedStruct("Unreadable", { rule: Schema.String })
])
const lineIn = Schema.decodeUnknownOption(Line)

/** Null for what is no answer. */
export const seenIn = ({ line, parts }: Message): PhotoSeen | null => {
  const said = Option.getOrNull(lineIn(line))
  const [first, second] = parts
  switch (said?._tag) {
    case "Check":
    case "Document":
    case "Read": {
      if (first === undefined || second === undefined) return null
      const photo = { jpeg: first, print: second, facePart: said.facePart }
      if (said._tag === "Check") return { _tag: "Check", photo }
      const read = { photo, numbers: float32(said.numbers) }
      if (said._tag === "Read") return { _tag: "Read", ...read }
      return { _tag: "Document", ...read, beside: said.beside.map((numbers) => ({ numbers: float32(numbers) })) }
    }
    case "Compared":
      return first === undefined ? null : { _tag: "Compared", print: first, numbers: float32(said.numbers) }
    case "Logo":
      return first === undefined ? null : { ...said, bytes: first }
    case "Refused":
    case "Turned":
    case "Unreadable":
      return said
    case undefined:
      return null
  }
}

const float32 = (numbers: ReadonlyArray<number>): Float32Array => Float32Array.from(numbers)

const readyLineIn = Schema.decodeUnknownOption(
  Schema.TaggedStruct("Ready", { backend: Schema.Literals(["tensorflow", "wasm"]) })
)

/** Null for what is no such message. */
export const readyIn = ({ line }: Message): PhotosReady | null => Option.getOrNull(readyLineIn(line))
