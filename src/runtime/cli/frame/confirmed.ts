/** Asks a person whether they mean it, before a command does what cannot be undone. A program is not asked: it has no terminal. */
import { Effect } from "effect"
import { Prompt, TerminalCapabilities } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { Json } from "./printing.ts"

/** Fails with `otherwise` when a person says no, or leaves the question with Ctrl+C. */
export const confirmed = Effect.fnUntraced(function* (question: string, otherwise: string) {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt || (yield* Json)) return
  const isMeant = yield* Prompt.run(Prompt.Confirm({ message: question })).pipe(
    Effect.catchTag("QuitError", () => Effect.succeed(false))
  )
  if (!isMeant) return yield* new CommandFailed({ message: otherwise })
})
