/** Stands at every TCP connection that this process opens: lets it go where it wants, elsewhere, or nowhere. */
import * as net from "node:net"
import { vi } from "vitest"

type Connect = (this: net.Socket, ...given: Array<unknown>) => net.Socket

/** `decide` is told the address; it answers with the one to connect to, or an error, or null for silence. */
export const spyOnConnections = (decide: (address: string) => string | Error | null): void => {
  const connect = Reflect.get(net.Socket.prototype, "connect") as Connect
  const watched: Connect = function (...given) {
    const [first] = given
    const target = (Array.isArray(first) ? first[0] : first) as { host?: string }
    const decided = decide(target.host ?? "?")
    if (typeof decided === "string") {
      target.host = decided
      return connect.apply(this, given)
    }
    if (decided !== null) process.nextTick(() => this.destroy(decided))
    return this
  }
  vi.spyOn(net.Socket.prototype, "connect").mockImplementation(watched)
}
