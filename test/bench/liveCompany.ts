/** A company for measurements of live journeys: the built-in identity check, credits, and as much mail as it likes. */
import type { Running } from "./running.ts"

/** A company whose live journeys can start, and its live key. */
export const liveCompany = async ({ settings }: Running): Promise<{ readonly id: string; readonly key: string }> => {
  const { id = "" } = await settings("POST", "/companies", {
    name: "Live",
    kind: "DEALER",
    adminEmail: "live@example.com"
  })
  await settings("PATCH", `/companies/${id}`, { identityProvider: { kind: "BUILT_IN" } })
  for (const wallet of ["APPLICATION", "IDENTITY"]) {
    await settings("POST", `/companies/${id}/wallets/${wallet}/credits`, { amount: 1_000_000, note: "Bench" })
  }
  // A new company may send few mails a day (decision M9).
  await settings("PATCH", `/companies/${id}/mail`, { perDay: 1_000_000 })
  const { key = "" } = await settings("POST", `/companies/${id}/api-keys`, { mode: "LIVE" })
  return { id, key }
}
