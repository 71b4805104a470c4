/** Stands at every TCP connection that this process opens: lets it go where it wants, elsewhere, later, or nowhere. */
import * as net from "node:net"
import { vi } from "vitest"

type Connect = (this: net.Socket, ...given: Array<unknown>) => net.Socket

type Decision = string | Error | null

/** `decide` is told the address; it answers, now or later, with the one to connect to, or an error, or null for silence. */
export const spyOnConnections = (decide: (address: string) => Decision | Promise<Decision>): void => {
  const connect = Reflect.get(net.Socket.prototype, "connect") as Connect
  const watched: Connect = function (...given) {
    const [first] = given
    const target = (Array.isArray(first) ? first[0] : first) as { host?: string }
    const follow = (decided: Decision): void => {
      if (typeof decided === "string") {
        target.host = decided
        connect.apply(this, given)
      } else if (decided !== null) process.nextTick(() => this.destroy(decided))
    }
    const decided = decide(target.host ?? "?")
    if (decided instanceof Promise) void decided.then(follow)
    else follow(decided)
    return this
  }
  vi.spyOn(net.Socket.prototype, "connect").mockImplementation(watched)
}
