/** Which settings hold one secret: each of them proves something else to somebody else. What follows is said by `honesty/settingsChecks.ts`. */
import type { VariableName } from "./environment.ts"

type TextOf = (name: VariableName) => string | undefined

const ownSecrets = ["CLUSTER_SECRET", "OPERATOR_TOKEN", "ENCRYPTION_KEY", "ENCRYPTION_KEYS_RETIRED"] as const

/** Their servers know the passwords in them. */
const addresses = ["DATABASE_URL", "REDIS_URL", "SMTP_URL"] as const

const decoded = (password: string): string => {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

const passwordIn = (address: string | undefined): ReadonlyArray<string> => {
  const password = decoded(URL.parse(address ?? "")?.password ?? "")
  return password === "" ? [] : [password]
}

/**
 * Such as "CLUSTER_SECRET and OPERATOR_TOKEN". What is not given is what the service has made itself, if it has. A retired key may be
 * the key that seals: that is one secret with one purpose.
 */
export const sameSecrets = (
  given: TextOf,
  made: Readonly<Partial<Record<VariableName, string>>>
): ReadonlyArray<string> => {
  const textOf: TextOf = (name) => given(name) ?? made[name]
  const own = ownSecrets.map((name) => ({
    name,
    secrets: (textOf(name) ?? "").split(",").flatMap((one) => one.trim() || [])
  }))
  const inAddresses = addresses.map((name) => ({ name, secrets: passwordIn(textOf(name)) }))
  return own.flatMap((one, place) =>
    [...own.slice(place + 1), ...inAddresses]
      .filter(({ name }) => !(one.name === "ENCRYPTION_KEY" && name === "ENCRYPTION_KEYS_RETIRED"))
      .filter(({ secrets }) => one.secrets.some((secret) => secrets.includes(secret)))
      .map(({ name }) => `${one.name} and ${name}`)
  )
}
