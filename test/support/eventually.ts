/** Waits for something that happens by itself, by asking again and again for a limited time: less often the longer it takes. */
const leastBetween = 20
const mostBetween = 100

/** Two seconds and more of asking fifty times a second would keep a core from what is waited for. */
const betweenAfter = (waitedMillis: number): number => Math.min(mostBetween, Math.max(leastBetween, waitedMillis / 20))

export const eventually = async <A>(
  ask: () => A | Promise<A>,
  isSo: (answer: Awaited<A>) => boolean,
  withinMillis = 10_000
): Promise<Awaited<A>> => {
  const begun = performance.now()
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    const waited = performance.now() - begun
    if (waited > withinMillis) throw new Error(`not so within ${withinMillis} ms: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, betweenAfter(waited)))
  }
}
