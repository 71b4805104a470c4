/** The port between nodes: who is let in, who is cut off and how the log tells of it, and what somebody on the wire can read. */
import { Context, Duration, Effect, Exit, Layer, Logger, References, Scope } from "effect"
import { SocketServer } from "effect/socket"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { proofLimits } from "../../../src/runtime/cluster/limits.ts"
import { clientOptions, nodeProof, type NodeProof } from "../../../src/runtime/cluster/nodeProof.ts"
import * as ProvenListener from "../../../src/runtime/cluster/provenListener.ts"
import { eventually } from "../../support/eventually.ts"

const secret = (name: string) => `the ${name} secret of the nodes of this test`
const host = "127.0.0.1"
const canary = "canary-of-a-message-between-nodes"

interface Line {
  readonly level: string
  readonly message: unknown
}

describe("the port between nodes", () => {
  let scope: Scope.Closeable
  let lines: Array<Line>
  const opened: Array<Socket> = []

  beforeEach(() => {
    scope = Scope.makeUnsafe()
    lines = []
  })
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** A listener that answers what it hears, and its port. */
  const listen = async (
    proof: NodeProof,
    limits: { readonly mostUnproven?: number; readonly proveWithin?: Duration.Duration } = {}
  ): Promise<number> => {
    const log = Logger.layer([Logger.make(({ logLevel, message }) => void lines.push({ level: logLevel, message }))])
    const context = await Effect.runPromise(
      Layer.buildWithScope(
        ProvenListener.layerOf({ host, port: 0 }, proof, { ...proofLimits, ...limits }).pipe(
          Layer.provide(log),
          Layer.provide(Layer.succeed(References.MinimumLogLevel, "Info"))
        ),
        scope
      )
    )
    const { address, run } = Context.get(context, SocketServer.SocketServer)
    const echoing = run((socket) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { write } = yield* socket.writer
          const { pull } = yield* socket.reader
          while (true) for (const heard of yield* pull) yield* write(heard)
        })
      )
    )
    await Effect.runPromise(Scope.provide(Effect.forkScoped(echoing), scope))
    return "port" in address ? address.port : expect.fail("no port")
  }
  const open = async (port: number): Promise<Socket> => {
    const socket = connect(port, host)
    opened.push(socket)
    socket.on("error", () => {})
    await once(socket, "connect")
    return socket
  }
  /** What comes back when a canary is sent; the code of the failure otherwise. */
  const say = (port: number, proof: NodeProof): Promise<string> =>
    new Promise((resolve) => {
      const socket = connectTls({ ...clientOptions(proof), host, port }, () => socket.write(canary))
      opened.push(socket)
      socket.on("data", (heard) => resolve(heard.toString()))
      socket.on("error", (error) => resolve("code" in error ? String(error.code) : error.message))
    })
  const refusals = () => lines.filter(({ message }) => JSON.stringify(message).includes("were refused"))

  it("lets in who has the secret, also while it changes from one to another", async () => {
    const [before, after] = [nodeProof(secret("old")), nodeProof(secret("new"))]
    const both = nodeProof(secret("new"), secret("old"))
    for (const listening of [before, both]) expect(await say(await listen(listening), before)).toBe(canary)
    for (const listening of [before, both, after]) expect(await say(await listen(listening), both)).toBe(canary)
    // Two nodes have one secret of several in common, and rather speak another.
    expect(await say(await listen(nodeProof(secret("other"), secret("old"))), both)).toBe(canary)
    expect(refusals()).toEqual([])
  })

  it("cuts off who has another secret, no secret, or speaks no TLS, and tells of all of them in one line", async () => {
    const port = await listen(nodeProof(secret("right")))
    expect(await say(port, nodeProof(secret("wrong")))).toMatch(/PSK_IDENTITY/)
    // The name of the right key with another key behind it.
    const [{ identity }] = nodeProof(secret("right"))
    expect(await say(port, [{ identity, psk: Buffer.alloc(32, 1) }])).toMatch(/BAD_RECORD_MAC/)
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = connectTls({ host, port, rejectUnauthorized: false, minVersion: version, maxVersion: version })
      opened.push(socket)
      await expect(once(socket, "secureConnect")).rejects.toThrow(/handshake failure|protocol version/)
    }
    const plain = await open(port)
    plain.write(canary)
    await once(plain, "close")
    await eventually(refusals, ({ length }) => length > 0)
    expect(refusals()).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain("secret of the nodes")
  })

  it("cuts off who says nothing", async () => {
    const port = await listen(nodeProof(secret("right")), { proveWithin: Duration.millis(50) })
    const silent = await open(port)
    await once(silent, "close")
    await eventually(refusals, ({ length }) => length === 1)
    expect(JSON.stringify(refusals())).toContain("HANDSHAKE_TIMEOUT")
  })

  it("lets a node in however many say nothing, and puts out those who have said nothing for longest", async () => {
    const port = await listen(nodeProof(secret("right")), { mostUnproven: 3 })
    const silent = [await open(port), await open(port), await open(port), await open(port), await open(port)]
    await Promise.all(silent.slice(0, 2).map((socket) => once(socket, "close")))
    expect(await say(port, nodeProof(secret("right")))).toBe(canary)
    expect(silent.slice(3).map(({ destroyed }) => destroyed)).toEqual([false, false])
    expect(JSON.stringify(refusals())).toContain("TOO_MANY")
  })

  it("puts out nobody who has proven to be a node, however many say nothing", async () => {
    const port = await listen(nodeProof(secret("right")), { mostUnproven: 2 })
    const node = connectTls({ ...clientOptions(nodeProof(secret("right"))), host, port })
    opened.push(node)
    await once(node, "secureConnect")
    const silent = [await open(port), await open(port), await open(port)]
    await once(silent[0]!, "close")
    node.write(canary)
    expect(String((await once(node, "data"))[0])).toBe(canary)
  })

  it("shows somebody on the wire nothing of what nodes say", async () => {
    const proof = nodeProof(secret("right"))
    const port = await listen(proof)
    const seen: Array<Buffer> = []
    const wire = createServer((client) => {
      const server = connect(port, host)
      for (const [from, to] of [
        [client, server],
        [server, client]
      ] as const) {
        from.on("data", (bytes) => {
          seen.push(bytes)
          to.write(bytes)
        })
        from.on("error", () => to.destroy())
        from.on("close", () => to.destroy())
      }
    })
    await new Promise<void>((listening) => wire.listen(0, host, listening))
    const at = wire.address()
    expect(await say(typeof at === "object" && at !== null ? at.port : 0, proof)).toBe(canary)
    const bytes = Buffer.concat(seen)
    expect(bytes.length).toBeGreaterThan(canary.length)
    for (const part of [canary, secret("right")]) expect(bytes.includes(part)).toBe(false)
    wire.close()
  })

  it("has keys of its own for each connection, which nobody can compute from the secret later", async () => {
    const port = await listen(nodeProof(secret("right")))
    const socket = connectTls({ ...clientOptions(nodeProof(secret("right"))), host, port })
    opened.push(socket)
    await once(socket, "secureConnect")
    expect(socket.getEphemeralKeyInfo()).toMatchObject({ type: "ECDH" })
  })
})
