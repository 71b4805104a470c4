/**
 * How many connections a server keeps: so many of one address, and so many in all. At a bound that connection goes which is
 * needed least: first those that have not asked anything yet, then those that wait for their next request, the oldest first.
 * A connection that is being answered is never dropped; where all are, a new one is refused. So nobody who only holds
 * connections keeps others out. How long a connection may say nothing is the server's business (`httpServer.ts`).
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { countedAddress } from "../../http/server/callers/clientAddress.ts"
import { hasWaitingRequests } from "./pipelinedRequests.ts"
import { isAmong, type AddressBlocks } from "../../schema/addressBlocks.ts"

export interface ConnectionBounds {
  readonly most: number
  readonly mostOfOneAddress: number
  /** Many callers come through one of these addresses, so its connections are counted only among all. */
  readonly proxies: AddressBlocks
}

/** Connections under one bound. Sets keep the order in which their members came. */
class Crowd {
  readonly most: number
  readonly all = new Set<Socket>()
  readonly silent = new Set<Socket>()
  readonly idle = new Set<Socket>()

  constructor(most: number) {
    this.most = most
  }

  get isFull(): boolean {
    return this.all.size >= this.most
  }

  /** Undefined: all are being answered. */
  get neededLeast(): Socket | undefined {
    return this.silent.values().next().value ?? this.idle.values().next().value
  }

  join(socket: Socket): void {
    this.all.add(socket)
    this.silent.add(socket)
  }

  ask(socket: Socket): void {
    this.silent.delete(socket)
    this.idle.delete(socket)
  }

  rest(socket: Socket): void {
    if (this.all.has(socket)) this.idle.add(socket)
  }

  leave(socket: Socket): void {
    this.all.delete(socket)
    this.ask(socket)
  }
}

interface Kept {
  readonly crowds: ReadonlyArray<Crowd>
  readonly address: string
  /** Requests that are not answered yet. */
  unanswered: number
}

/** Holds the server to the bounds. */
export const boundConnections = (server: Server, { most, mostOfOneAddress, proxies }: ConnectionBounds): void => {
  const everybody = new Crowd(most)
  const byAddress = new Map<string, Crowd>()
  const kept = new WeakMap<Socket, Kept>()

  const leave = (socket: Socket): void => {
    const { address = "", crowds = [] } = kept.get(socket) ?? {}
    for (const crowd of crowds) crowd.leave(socket)
    if (byAddress.get(address)?.all.size === 0) byAddress.delete(address)
  }

  /** Whether there is room, if need be after a connection has gone. */
  const makesRoom = (crowd: Crowd): boolean => {
    if (!crowd.isFull) return true
    const dropped = crowd.neededLeast
    if (dropped === undefined) return false
    leave(dropped)
    dropped.destroy()
    return true
  }

  server.on("connection", (socket: Socket) => {
    // Undefined: the other side has gone already.
    const address = countedAddress(socket.remoteAddress ?? "")
    const isProxy = isAmong(proxies, socket.remoteAddress ?? "")
    const neighbours = isProxy ? [] : [byAddress.get(address) ?? new Crowd(mostOfOneAddress)]
    const crowds = [...neighbours, everybody]
    if (!crowds.every(makesRoom)) return void socket.destroy()
    for (const crowd of neighbours) byAddress.set(address, crowd)
    for (const crowd of crowds) crowd.join(socket)
    kept.set(socket, { crowds, address, unanswered: 0 })
    socket.once("close", () => leave(socket))
  })

  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const asking = kept.get(socket)
    if (asking === undefined) return
    asking.unanswered += 1
    for (const crowd of asking.crowds) crowd.ask(socket)
    response.once("close", () => {
      asking.unanswered -= 1
      if (asking.unanswered > 0 || hasWaitingRequests(socket)) return
      for (const crowd of asking.crowds) crowd.rest(socket)
    })
  })
}
