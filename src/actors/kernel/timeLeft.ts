/** How much is left of a time that begins now. By the monotonic clock, which does not jump when somebody sets the machine's time. */
import { Duration, type Clock } from "effect"

/** Zero or less: the time is over. */
export const timeLeft = (clock: Clock.Clock, within: Duration.Duration): (() => Duration.Duration) => {
  const begun = clock.monotonicTimeNanosUnsafe()
  return () => Duration.subtract(within, Duration.nanos(clock.monotonicTimeNanosUnsafe() - begun))
}
