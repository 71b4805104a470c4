/**
 * Questions and answers between this service and a process of its own, over the sockets that are the process's input and output: a line
 * of JSON, and after it bytes as they are. What a line may say is the business of those who ask and answer.
 */

/** What a line says, which nobody has judged yet, and the bytes that came with it, in their order. */
export interface Message {
  readonly line: unknown
  readonly parts: ReadonlyArray<Uint8Array>
}

export interface MessageLimits {
  readonly lineBytes: number
  /** All parts of a message together. */
  readonly partsBytes: number
}

/** The line as it is sent: the lengths of the parts stand beside what is said. */
interface SentLine {
  readonly line: unknown
  readonly parts: ReadonlyArray<number>
}

const newline = 0x0a

/** What is written, one piece after the other. Nothing is copied. */
export const messagePieces = ({ line, parts }: Message): ReadonlyArray<Uint8Array> => [
  Buffer.from(`${JSON.stringify({ line, parts: parts.map(({ length }) => length) } satisfies SentLine)}\n`),
  ...parts
]

const isLength = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

/** Null for what is no such line. */
const sentLineIn = (text: string): SentLine | null => {
  try {
    const { line, parts } = JSON.parse(text) as Partial<SentLine>
    return Array.isArray(parts) && parts.every(isLength) ? { line, parts } : null
  } catch {
    return null
  }
}

const sumOf = (lengths: ReadonlyArray<number>): number => lengths.reduce((sum, length) => sum + length, 0)

/**
 * Puts messages together out of the pieces that arrive. `take` answers with the messages that are whole now, and with null when what came
 * is no message or a larger one than the limits allow; what comes after that cannot be understood.
 */
export const messageReader = (limits: MessageLimits) => {
  let head = Buffer.alloc(0)
  /** The message that is arriving; null until its line is whole. */
  let arriving: Message | null = null
  /** The part that is being filled, and how far. */
  let part = 0
  let filled = 0

  /** False: it is no line of a message. */
  const takeLine = (text: string): boolean => {
    const sent = sentLineIn(text)
    if (sent === null || sumOf(sent.parts) > limits.partsBytes) return false
    // Memory of their own, so that whoever keeps one part keeps no other.
    arriving = { line: sent.line, parts: sent.parts.map((length) => new Uint8Array(length)) }
    part = 0
    filled = 0
    return true
  }

  /** Fills the parts, and answers with what is left. */
  const fill = (parts: ReadonlyArray<Uint8Array>, bytes: Uint8Array): Uint8Array => {
    let rest = bytes
    for (let into = parts[part]; into !== undefined; into = parts[part]) {
      const some = rest.subarray(0, into.length - filled)
      into.set(some, filled)
      filled += some.length
      rest = rest.subarray(some.length)
      if (filled < into.length) break
      part += 1
      filled = 0
    }
    return rest
  }

  return {
    take: (bytes: Uint8Array): ReadonlyArray<Message> | null => {
      const whole: Array<Message> = []
      let rest = bytes
      for (;;) {
        if (arriving === null) {
          const end = rest.indexOf(newline)
          head = Buffer.concat([head, end === -1 ? rest : rest.subarray(0, end)])
          if (head.length > limits.lineBytes) return null
          if (end === -1) return whole
          if (!takeLine(head.toString())) return null
          head = Buffer.alloc(0)
          rest = rest.subarray(end + 1)
        }
        if (arriving === null) return whole
        rest = fill(arriving.parts, rest)
        if (part < arriving.parts.length) return whole
        whole.push(arriving)
        arriving = null
      }
    }
  }
}
