/**
 * How the process ends: the exit code, and the limits of a stop. A stop that was begun ends within 15 seconds whatever
 * hangs, and at once when somebody asks a second time.
 */
import { Cause, Exit } from "effect"
import { NoProgress } from "./Watchdog.ts"

/** Milliseconds from the signal to the end; supervisors are told 15 s, and some of that passes on the way. */
const stopsWithin = 14_500

/** Milliseconds within which a signal is the same one: Ctrl-C reaches the process from the terminal and again from npm. */
const sameSignalWithin = 1000

/** A failure inside the program (EX_SOFTWARE of sysexits): the supervisor starts it again. */
const noProgressCode = 70

/** Nobody is told to expect more of a program that was told twice. */
const secondSignalCode = 130

export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  return exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof NoProgress)
    ? noProgressCode
    : 1
}

const limit = (code: number) =>
  setTimeout(() => {
    console.error(`The stop did not end within ${stopsWithin} ms: what still ran is cut off; nothing committed is lost`)
    process.exit(code)
  }, stopsWithin).unref()

/** Watches signals. `begins`: the process ends by itself, with the same limit and another exit code. */
export const boundedStop = (): { readonly begins: () => void } => {
  let firstSignal: number | null = null

  const onSignal = (signal: NodeJS.Signals) => {
    if (firstSignal === null) {
      firstSignal = performance.now()
      limit(0)
    } else if (performance.now() - firstSignal > sameSignalWithin) {
      console.error(`${signal} came a second time: ended at once; nothing committed is lost`)
      process.exit(secondSignalCode)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  return { begins: () => void limit(noProgressCode) }
}
