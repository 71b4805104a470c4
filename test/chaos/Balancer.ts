/** The list of nodes of a load balancer: the nodes that said at the last look that they are ready. */
import type { NodeProcess } from "./NodeProcess.ts"

/** Milliseconds between two looks. */
const lookEvery = 200

export const startBalancer = (nodes: ReadonlyArray<NodeProcess>) => {
  let ready: ReadonlyArray<string> = nodes.map(({ baseUrl }) => baseUrl)
  const looks = { goOn: true }
  const looking = (async () => {
    while (looks.goOn) {
      const answers = await Promise.all(
        nodes.map(({ baseUrl }) =>
          fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(1000) }).then(
            ({ ok }) => (ok ? [baseUrl] : []),
            () => []
          )
        )
      )
      const now = answers.flat()
      // If no node is ready, it is better to ask one that may refuse than nobody.
      if (now.length > 0) ready = now
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
  })()
  return {
    ready: () => ready,
    stop: () => {
      looks.goOn = false
      return looking
    }
  }
}
