/**
 * How the process ends: its exit code, and the time that a stop may take. A stop ends within 15 seconds whatever hangs, and
 * at once after a second signal. What is done during a stop is the business of the layers that end.
 */
import { Cause, Duration, Exit } from "effect"
import { stopLimits } from "./limits.ts"
import { NoProgress } from "./Watchdog.ts"

const stopMillis = Duration.toMillis(stopLimits.stopWithin)
const sameSignalMillis = Duration.toMillis(stopLimits.sameSignalWithin)

/** A failure inside the program (EX_SOFTWARE of sysexits): the supervisor starts it again. */
const noProgressCode = 70

/** What a shell reports of a process that Ctrl-C ended. */
const secondSignalCode = 130

export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  return exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof NoProgress)
    ? noProgressCode
    : 1
}

const limit = (code: number) =>
  setTimeout(() => {
    console.error(`The stop did not end within ${stopMillis} ms: what still ran is cut off; nothing committed is lost`)
    process.exit(code)
  }, stopMillis).unref()

/** Watches signals. `begins` is for a process that ends by itself: the limit is the same, the exit code another. */
export const boundedStop = (): { readonly begins: () => void } => {
  let firstSignal: number | null = null

  const onSignal = (signal: NodeJS.Signals) => {
    if (firstSignal === null) {
      firstSignal = performance.now()
      limit(0)
    } else if (performance.now() - firstSignal > sameSignalMillis) {
      console.error(`${signal} came a second time: ended at once; nothing committed is lost`)
      process.exit(secondSignalCode)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  // A terminal that closes. Node would end at once, and leave the embedded database running without anybody.
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  return { begins: () => void limit(noProgressCode) }
}
