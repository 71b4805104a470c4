/** A port of this machine on which nobody listens, for a program that must know its port before it starts. */
import { Effect } from "effect"
import { createServer } from "node:net"

export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.once("error", (cause) => resume(Effect.die(cause)))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
