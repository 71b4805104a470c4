/**
 * Which profile a node starts in. `production` refuses what is not safe where customers' data is; `development` is for somebody's
 * own machine and for tests. The address and the database say which it is, and PROFILE overrides them, loudly. What is refused
 * stands in `honesty/settingsChecks.ts` and `postgres/databaseChecks.ts`.
 */
import type { Redacted } from "effect"
import { isPublicAddress } from "../../schema/webhook/publicAddress.ts"
import type { ProfileName } from "./environment.ts"
import { isLoopback } from "./isLoopback.ts"

/** The settings that decide. */
interface Deciding {
  readonly baseUrl: string | undefined
  readonly databaseUrl: Redacted.Redacted | undefined
  readonly profile: ProfileName | undefined
}

export interface Profile {
  readonly name: ProfileName
  /** Completes "because". */
  readonly why: string
  /** Whether PROFILE says development where production would have been chosen. */
  readonly isLowered: boolean
}

/** Names that lead nowhere outside: one label, or an ending that is kept for private networks. */
const privateName = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/i

const isPublicHost = (host: string): boolean => {
  const name = host.replace(/^\[(.*)\]$/, "$1")
  const isAddress = name.includes(":") || /^[\d.]+$/.test(name)
  return isAddress ? isPublicAddress(name) : !isLoopback(name) && !privateName.test(name)
}

export const profileOf = ({ baseUrl, databaseUrl, profile }: Deciding): Profile => {
  const chosen: Omit<Profile, "isLowered"> =
    databaseUrl !== undefined
      ? { name: "production", why: "DATABASE_URL is set" }
      : baseUrl !== undefined && isPublicHost(URL.parse(baseUrl)?.hostname ?? "localhost")
        ? { name: "production", why: "BASE_URL is a public address" }
        : { name: "development", why: "the database is embedded and BASE_URL is no public address" }
  if (profile === undefined) return { ...chosen, isLowered: false }
  return { name: profile, why: "PROFILE says so", isLowered: profile === "development" && chosen.name === "production" }
}
