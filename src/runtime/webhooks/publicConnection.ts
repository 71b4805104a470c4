/**
 * Opens the connections for webhooks: only to public addresses, and over verified TLS. The host is looked up here, and the
 * connection goes to the very address that was judged, so a name that changes in between cannot lead elsewhere. Settings of
 * a proxy in the environment are ignored.
 */
import { Cause, type Context, Duration, Effect, Exit } from "effect"
import * as net from "node:net"
import * as tls from "node:tls"
import type { buildConnector } from "undici"
import { bareHost, publicAddresses } from "../../actors/webhook/actor/reachable.ts"
import { AddressNotPublic } from "../../actors/webhook/rules/connectionErrors.ts"
import type { Resolver } from "../../actors/webhook/actor/Resolver.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { isPublicAddress } from "../../schema/webhook/publicAddress.ts"

const { mostAddresses } = webhookLimits
const connectMillis = Duration.toMillis(webhookLimits.connectTimeout)

/** Where a connection leads to. An IPv6 address stands without brackets, and the scheme's own port is empty. */
export type Target = Pick<URL, "hostname" | "port" | "protocol">

export const connectTargetOf = ({ hostname, port, protocol }: URL): Target => ({
  hostname: bareHost(hostname),
  port,
  protocol
})

/** Opens a connection and calls back. The function that it returns gives the attempt up; then nothing is called back. */
export type Connect = (target: Target, callback: buildConnector.Callback) => () => void

const nothing = (): void => {}

/** Trusts the system's authorities, and those in `certificates`, which tests add. */
export const trustIn = (certificates: ReadonlyArray<string>): tls.SecureContext =>
  tls.createSecureContext({
    minVersion: "TLSv1.2",
    ...(certificates.length === 0 ? {} : { ca: [...tls.getCACertificates("default"), ...certificates] })
  })

export const toPublicAddresses =
  (context: Context.Context<Resolver>, trust: tls.SecureContext): Connect =>
  (target, callback) => {
    let isGivenUp = false
    let giveUpTrying = nothing
    // A host that needs no look-up is judged at once, before this returns.
    const giveUpAsking = Effect.runCallbackWith(context)(publicAddresses(target.hostname), {
      onExit: (exit) => {
        if (isGivenUp) return
        if (Exit.isSuccess(exit)) giveUpTrying = tryInTurn(exit.value.slice(0, mostAddresses), target, trust, callback)
        else callback(errorOf(exit.cause), null)
      }
    })
    return () => {
      isGivenUp = true
      giveUpAsking()
      giveUpTrying()
    }
  }

/** For development only: connects to any address that the system finds for the host. */
export const toAnyAddress =
  (trust: tls.SecureContext): Connect =>
  (target, callback) => {
    const socket = opened(target.hostname, target, trust)
    const failed = (error: Error) => callback(error, null)
    let giveUp = (): void => void socket.destroy()
    socket.once("error", failed)
    socket.once(readyEvent(target), () => {
      giveUp = nothing
      socket.off("error", failed)
      callback(null, socket)
    })
    return () => giveUp()
  }

/** Tries one address after the other until one takes the connection. If none does, the first error is reported. */
const tryInTurn = (
  addresses: ReadonlyArray<string>,
  target: Target,
  trust: tls.SecureContext,
  callback: buildConnector.Callback
): (() => void) => {
  let giveUp = nothing
  const tryNext = (at: number, firstError: Error | undefined): void => {
    const address = addresses[at]
    if (address === undefined) {
      callback(firstError ?? new Error("a host without an address"), null)
      return
    }
    const socket = opened(address, target, trust)
    const isLast = at === addresses.length - 1
    const timer = isLast ? undefined : setTimeout(() => socket.destroy(notTaken(address)), connectMillis)
    giveUp = () => {
      clearTimeout(timer)
      socket.destroy()
    }
    let isTaken = false
    const failed = (error: Error) => {
      clearTimeout(timer)
      if (isTaken) callback(error, null)
      else tryNext(at + 1, firstError ?? error)
    }
    socket.once("error", failed)
    // Judges the address that the connection really leads to, before TLS sends anything.
    socket.prependOnceListener("connect", () => {
      clearTimeout(timer)
      isTaken = true
      const reached = socket.remoteAddress ?? ""
      if (!isPublicAddress(reached)) socket.destroy(new AddressNotPublic({ host: target.hostname, address: reached }))
    })
    socket.once(readyEvent(target), () => {
      if (socket.destroyed) return
      giveUp = nothing
      socket.off("error", failed)
      callback(null, socket)
    })
  }
  tryNext(0, undefined)
  return () => giveUp()
}

const opened = (address: string, { hostname, port, protocol }: Target, trust: tls.SecureContext): net.Socket => {
  const isSecure = protocol === "https:"
  const at = { host: address, port: port === "" ? (isSecure ? 443 : 80) : Number(port), noDelay: true }
  if (!isSecure) return net.connect(at)
  return tls.connect({
    ...at,
    // An address is not sent as a server name. The certificate must be valid for the address all the same.
    servername: net.isIP(hostname) === 0 ? hostname : "",
    ALPNProtocols: ["http/1.1"],
    secureContext: trust,
    // Set here, because the environment could switch the default off. No session is resumed, because only a full handshake
    // checks the name in the certificate.
    rejectUnauthorized: true
  })
}

const readyEvent = ({ protocol }: Target): string => (protocol === "https:" ? "secureConnect" : "connect")

const notTaken = (address: string): Error =>
  Object.assign(new Error("the address did not take the connection in time"), { code: "ETIMEDOUT", address })

const errorOf = (cause: Cause.Cause<unknown>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error("the host could not be looked up", { cause: error })
}
