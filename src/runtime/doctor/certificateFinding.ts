/** Whether the certificate at the public address is good, and for how long. */
import { Clock, Duration, Effect } from "effect"
import { isIP } from "node:net"
import { connect } from "node:tls"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { doctorLimits } from "./limits.ts"

interface Shown {
  /** Null: the certificate is good. */
  readonly problem: string | null
  readonly endsAt: number
}

const httpsPort = 443

/** A URL writes an IPv6 address in brackets, which are no part of the address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1")

const shownAt = (url: URL): Effect.Effect<Shown | null> =>
  Effect.callback<Shown | null>((resume) => {
    const host = hostOf(url)
    const socket = connect({
      host,
      port: url.port === "" ? httpsPort : Number(url.port),
      // An address is no server name, and the certificate is compared with it by itself.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // A bad certificate is looked at, and nothing is sent.
      rejectUnauthorized: false,
      timeout: Duration.toMillis(doctorLimits.certificateWithin)
    })
    const done = (shown: Shown | null) => {
      socket.destroy()
      resume(Effect.succeed(shown))
    }
    socket.once("secureConnect", () =>
      done({
        problem: socket.authorized ? null : String(socket.authorizationError),
        endsAt: Date.parse(socket.getPeerCertificate().valid_to)
      })
    )
    socket.once("timeout", () => done(null))
    socket.once("error", () => done(null))
    return Effect.sync(() => socket.destroy())
  })

export const certificateFinding = Effect.fnUntraced(function* ({
  baseUrl
}: GivenSettings): Effect.fn.Return<ReadonlyArray<Finding>> {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl)
  if (url?.protocol !== "https:") return []
  const shown = yield* shownAt(url)
  if (shown === null) return [well("certificate", `${url.host} cannot be reached from here: it was not looked at`)]
  if (shown.problem !== null) {
    return [wrong("certificate", `that of ${url.host} is not good: ${shown.problem}`, "install one for this name")]
  }
  const left = Duration.millis(shown.endsAt - (yield* Clock.currentTimeMillis))
  const days = Math.floor(Duration.toDays(left))
  return [
    Duration.isLessThan(left, doctorLimits.leastCertificateLife)
      ? wrong("certificate", `that of ${url.host} ends in ${days} days`, "renew it")
      : well("certificate", `that of ${url.host} is good for ${days} days`)
  ]
})
