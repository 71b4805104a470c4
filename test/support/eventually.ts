/** Waits for something that happens by itself, by asking again and again for a limited time. */
const betweenMillis = 20

export const eventually = async <A>(
  ask: () => A | Promise<A>,
  isSo: (answer: Awaited<A>) => boolean,
  withinMillis = 10_000
): Promise<Awaited<A>> => {
  const end = performance.now() + withinMillis
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    if (performance.now() > end) throw new Error(`not so within ${withinMillis} ms: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, betweenMillis))
  }
}
