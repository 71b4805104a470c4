/**
 * Exchanges over TLS with receivers whose certificates are good, expired, self-signed or for another host (FAULT-29). The code
 * of production runs unchanged, except that the addresses of this machine count as public.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import * as http from "node:http"
import * as net from "node:net"
import * as tls from "node:tls"
import { afterEach, expect, it, vi } from "vitest"
import { eventually } from "../../support/eventually.ts"
import { spyOnConnections } from "../connectSpy.ts"
import { openChannel, resolverOf } from "../openChannel.ts"

vi.mock("../../../src/schema/webhook/publicAddress.ts", () => ({
  isPublicAddress: (address: string) => address.startsWith("127.") || address === "::1"
}))

const file = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8")
const authority = file("authority.pem")
const identity = (name: string): tls.TlsOptions => ({ cert: file(`${name}.pem`), key: file(`${name}.key`) })

const stops: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

const listen = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
  stops.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as net.AddressInfo).port
}

/** A receiver that answers every request with 200 and the server name it was asked for. */
const startTls = async (options: tls.TlsOptions) => {
  const names: Array<string | false | null> = []
  const requests: Array<string> = []
  const server = tls.createServer(options, (socket) => {
    names.push(socket.servername)
    socket.on("error", () => {})
    socket.on("data", (chunk) => {
      requests.push(chunk.toString())
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    })
  })
  server.on("tlsClientError", () => {})
  return { port: await listen(server), names, requests }
}

const channelTo = async (url: string, certificates = [authority], hosts: Parameters<typeof resolverOf>[0] = {}) => {
  const channel = await openChannel(url, { allowInsecure: false, certificates, resolver: resolverOf(hosts) })
  stops.push(channel.close)
  return channel
}

/** A channel to a receiver of this kind by this name, and the receiver. */
const over = async (options: tls.TlsOptions, host = "good.example", certificates = [authority]) => {
  const receiver = await startTls(options)
  return { receiver, channel: await channelTo(`https://${host}:${receiver.port}/hook`, certificates) }
}

const failure = (error: string) => ({ _tag: "Failed", error, isOwn: false })
const ok = { _tag: "Answered", status: 200, answer: "ok" }

it("delivers to a host whose certificate is good, telling it which host is meant", async () => {
  const { channel, receiver } = await over(identity("good"))
  expect([await channel.post(), await channel.post()]).toEqual([ok, ok])
  expect(receiver.names).toEqual(["good.example"])
  expect(receiver.requests[0]).toContain(`host: good.example:${receiver.port}\r\n`)
})

it("delivers to an address whose certificate is for it, without a server name", async () => {
  const { channel, receiver } = await over(identity("good"), "127.0.0.1")
  expect(await channel.post()).toEqual(ok)
  expect(receiver.names).toEqual([false])
})

it("speaks HTTP/1.1 to a receiver that would rather have HTTP/2", async () => {
  const { channel } = await over({ ...identity("good"), ALPNProtocols: ["h2", "http/1.1"] })
  expect(await channel.post()).toEqual(ok)
})

it.each<[string, string, tls.TlsOptions, string, ReadonlyArray<string>]>([
  ["TLS_CERTIFICATE_EXPIRED", "has expired", identity("expired"), "good.example", [authority]],
  ["TLS_CERTIFICATE_UNTRUSTED", "is self-signed", identity("selfSigned"), "good.example", [authority]],
  ["TLS_CERTIFICATE_UNTRUSTED", "is of an authority nobody knows", identity("good"), "good.example", []],
  ["TLS_WRONG_NAME", "is for another host", identity("good"), "bad.example", [authority]],
  ["TLS_WRONG_NAME", "is for another address", identity("good"), "127.0.0.2", [authority]],
  [
    "TLS_FAILED",
    "comes with a chain without end",
    { ...identity("good"), cert: file("good.pem") + authority.repeat(400) },
    "good.example",
    [authority]
  ]
])("fails with %s where the certificate %s, and sends nothing", async (error, _, options, host, certificates) => {
  const receiver = await startTls(options)
  const channel = await channelTo(`https://${host}:${receiver.port}/hook`, [...certificates])
  // Twice: a session that was begun with a bad certificate must not be resumed as a good one.
  expect([await channel.post("{}"), await channel.post("{}")]).toEqual([failure(error), failure(error)])
  expect(receiver.requests).toEqual([])
})

it("is not fooled by a resumed session, of TLS 1.2 either", async () => {
  const { channel, receiver } = await over({ ...identity("good"), maxVersion: "TLSv1.2" }, "bad.example")
  for (let count = 0; count < 4; count++) expect(await channel.post()).toEqual(failure("TLS_WRONG_NAME"))
  expect(receiver.requests).toEqual([])
})

it.each(["TLSv1", "TLSv1.1"] as const)(
  "fails with TLS_FAILED where the receiver knows nothing newer than %s",
  async (version) => {
    const { channel, receiver } = await over({
      ...identity("good"),
      minVersion: version,
      maxVersion: version,
      ciphers: "DEFAULT@SECLEVEL=0"
    })
    expect(await channel.post()).toEqual(failure("TLS_FAILED"))
    expect(receiver.requests).toEqual([])
  }
)

it("fails with TLS_FAILED where the receiver speaks plain HTTP", async () => {
  const server = http.createServer((_, response) => response.end())
  const channel = await channelTo(`https://good.example:${await listen(server)}/`)
  expect(await channel.post()).toEqual(failure("TLS_FAILED"))
})

it("fails with CONNECTION_RESET where the receiver closes amid the handshake", async () => {
  const server = net.createServer((socket) => socket.once("data", () => socket.destroy()))
  const channel = await channelTo(`https://good.example:${await listen(server)}/`)
  expect(await channel.post()).toEqual(failure("CONNECTION_RESET"))
})

it("fails with TIMEOUT where the handshake never ends, and lets go of the connection", async () => {
  let open = 0
  const server = net.createServer((socket) => {
    open += 1
    socket.on("error", () => {})
    socket.on("close", () => (open -= 1))
    socket.resume()
  })
  const url = `https://good.example:${await listen(server)}/`
  const channel = await openChannel(url, { allowInsecure: false, within: 500, connections: 1, resolver: resolverOf() })
  expect([await channel.post(), await channel.post()]).toEqual([failure("TIMEOUT"), failure("TIMEOUT")])
  await eventually(
    () => open,
    (count) => count === 0
  )
  await channel.close()
})

it("verifies although the environment says not to", () => {
  const program = `
    import { openChannel } from "./test/runtime/openChannel.ts"
    import * as tls from "node:tls"
    import { readFileSync } from "node:fs"
    const file = (name) => readFileSync("./test/runtime/certificates/" + name)
    const server = tls.createServer({ cert: file("selfSigned.pem"), key: file("selfSigned.key") })
    server.listen(0, "127.0.0.1", async () => {
      const channel = await openChannel("https://localhost:" + server.address().port + "/")
      console.log(JSON.stringify(await channel.post()))
      process.exit(0)
    })`
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" }
  })
  expect(JSON.parse(stdout)).toEqual(failure("TLS_CERTIFICATE_UNTRUSTED"))
})

it.each([
  [["127.0.0.9", "127.0.0.1"], ok],
  [["127.0.0.7", "127.0.0.8", "127.0.0.9", "127.0.0.1"], ok],
  [["127.0.0.7", "127.0.0.8"], failure("CONNECTION_REFUSED")],
  // No more than four are tried.
  [["127.0.0.6", "127.0.0.7", "127.0.0.8", "127.0.0.9", "127.0.0.1"], failure("CONNECTION_REFUSED")]
])("tries the addresses %j of a host in turn", async (addresses, exchange) => {
  const server = tls.createServer(identity("good"), (socket) => {
    socket.on("error", () => {})
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as net.AddressInfo
  const channel = await channelTo(`https://good.example:${port}/`, [authority], { "good.example": addresses })
  expect(await channel.post()).toEqual(exchange)
})

it("does not wait long for an address that is silent when there is another", async () => {
  const silent = "127.0.0.99"
  spyOnConnections((address) => (address === silent ? null : address))
  try {
    const receiver = await startTls(identity("good"))
    const url = `https://good.example:${receiver.port}/`
    const channel = await channelTo(url, [authority], { "good.example": [silent, "127.0.0.1"] })
    expect(await channel.post()).toEqual(ok)
  } finally {
    vi.restoreAllMocks()
  }
})
