/**
 * In a process that goes on answering: it says that it is ready, and then answers one question after another (`messages.ts`) until no more
 * come. An error ends the process, because the state that it left behind is unknown; the last message says which. The service's side
 * is `answeringProcess.ts`.
 */
import { setPriority } from "node:os"
import { messagePieces, messageReader, type Message } from "./messages.ts"

/** The process has met an error. `reason` is its code or name; its message may quote what was read. */
export interface AnswerFailed {
  readonly _tag: "Failed"
  readonly reason: string
}

/** The service sends no more than it means to have read. */
const fromTheService = { lineBytes: Number.POSITIVE_INFINITY, partsBytes: Number.POSITIVE_INFINITY }

const say = (message: Message): void => {
  for (const piece of messagePieces(message)) process.stdout.write(piece)
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** Comes first: from now on libraries write nothing between the answers, where they might quote what they read. */
export const keepQuiet = (): void => {
  for (const method of ["debug", "error", "info", "log", "warn"] as const) console[method] = () => {}
  process.on("uncaughtException", (error) => {
    say({ line: { _tag: "Failed", reason: reasonOf(error) } satisfies AnswerFailed, parts: [] })
    process.stdout.end(() => process.exit(1))
  })
}

/**
 * Lowers this thread, and those that it starts from now on; V8 has no others here (`confined.ts`). What comes before this has the priority
 * of the service: somebody waits until the process is ready, and on a busy machine that would take a minute.
 */
export const comeAfterOthers = (niceness: number): void => setPriority(niceness)

export const answerAll = async (ready: object, answer: (question: Message) => Promise<Message>): Promise<void> => {
  say({ line: ready, parts: [] })
  const reader = messageReader(fromTheService)
  for await (const bytes of process.stdin as AsyncIterable<Uint8Array>) {
    for (const question of reader.take(bytes) ?? []) say(await answer(question))
  }
}
