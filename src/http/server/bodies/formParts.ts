/**
 * Reads the parts of a multipart form as their bytes come, with Effect's parser. The parser bounds the headers of a part by size and number, and
 * finds boundaries in time that grows with the size of the body, whatever its bytes are: one request must not keep the event loop from
 * others. What the parts must be, and what is kept of them, is the reader's business.
 */
import { Effect } from "effect"
import { MultipartParser } from "effect/http"
import type { IncomingMessage } from "node:http"
import type { Problem } from "../answers/problems.ts"

export interface FormPart {
  readonly name: string
  readonly type: string
  /** Whether the part was sent as a file, whatever the file's name is. */
  readonly isFile: boolean
  readonly transferEncoding: string
}

/** What takes the bytes of a part. An outcome ends the reading. */
interface PartTaker<A> {
  readonly add: (piece: Buffer) => Effect.Effect<A, Problem> | null
  readonly end: () => void
}

export interface FormReading<A> {
  /** Judges the form by the number of bytes that have come, with each piece. */
  readonly judgeSize: (received: number) => Effect.Effect<A, Problem> | null
  /** An outcome ends the reading. */
  readonly begin: (part: FormPart) => PartTaker<A> | Effect.Effect<A, Problem>
  /** The form has come to its end. */
  readonly done: () => Effect.Effect<A, Problem>
  readonly malformed: Problem
}

/** Null: a header came twice, and nobody knows which of them is meant. */
const partOf = ({ headers, name }: MultipartParser.PartInfo): FormPart | null => {
  const disposition = headers["content-disposition"] ?? ""
  const encoding = headers["content-transfer-encoding"] ?? ""
  const type = headers["content-type"] ?? ""
  if (typeof disposition !== "string" || typeof encoding !== "string" || typeof type !== "string") return null
  return { name, type, isFile: /;\s*filename\*?=/i.test(disposition), transferEncoding: encoding.toLowerCase() }
}

/** A list of parameters may end with a semicolon (RFC 9110, 5.6.6). The parser would refuse it. */
const withoutLastSemicolon = (contentType: string): string => contentType.replace(/[;\s]+$/, "")

const nothing: PartTaker<never> = { add: () => null, end: () => {} }

const bufferOf = ({ buffer, byteLength, byteOffset }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** What is left unread after an early outcome is read by `unreadBody.ts`. */
export const readFormParts = <A>(
  source: IncomingMessage,
  { begin, done, judgeSize, malformed }: FormReading<A>
): Effect.Effect<A, Problem> =>
  Effect.callback<A, Problem>((resume) => {
    let received = 0
    let isAtEnd = false
    let isSettled = false
    const stop = () => {
      isSettled = true
      source.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
    }
    const settle = (outcome: Effect.Effect<A, Problem>) => {
      if (isSettled) return
      stop()
      resume(outcome)
    }
    const refuse = () => settle(Effect.fail(malformed))

    const takerOf = (part: FormPart | null): PartTaker<A> => {
      const taker = isSettled ? nothing : part === null ? Effect.fail(malformed) : begin(part)
      if (!Effect.isEffect(taker)) return taker
      settle(taker)
      return nothing
    }
    const onData = (piece: Buffer) => {
      received += piece.length
      const outcome = judgeSize(received)
      if (outcome !== null) return settle(outcome)
      // What comes behind the last boundary is counted, and belongs to no part.
      if (isAtEnd) return
      try {
        parser.write(piece)
      } catch {
        // Of a header that comes twice the parser makes a list, which it then takes for a text.
        refuse()
      }
    }
    const onEnd = () => (isAtEnd ? settle(done()) : refuse())
    const onClose = refuse
    // The parser judges the content type at once, and may refuse it.
    const parser = MultipartParser.make({
      headers: { "content-type": withoutLastSemicolon(source.headers["content-type"] ?? "") },
      isFile: () => true,
      onField: () => {},
      onFile: (info) => {
        const taker = takerOf(partOf(info))
        return (piece) => {
          if (isSettled) return
          const outcome = piece === null ? taker.end() : taker.add(bufferOf(piece))
          if (Effect.isEffect(outcome)) settle(outcome)
        }
      },
      onError: refuse,
      onDone: () => {
        isAtEnd = true
      }
    })
    if (isSettled) return
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
    return Effect.sync(stop)
  })
