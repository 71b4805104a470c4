/**
 * How much mail about test journeys leaves the service. All of it goes to one administrator (decision S8), who must not be
 * flooded when a company tries out thousands of journeys. Each node counts for itself. Mail beyond the limit is not sent.
 */
import { Duration } from "effect"
import { mailLimits } from "../limits.ts"
import type { CompanyId } from "../../../schema/ids.ts"

const countedForMillis = Duration.toMillis(mailLimits.testMailsCountedFor)

/** The function is called once for each mail; `now` is in epoch milliseconds. A company's hour begins with its first mail. */
export const makeTestMailAllowance = () => {
  const hours = new Map<string, { readonly since: number; count: number }>()
  return (companyId: CompanyId, now: number): boolean => {
    for (const [id, { since }] of hours) if (now - since >= countedForMillis) hours.delete(id)
    const hour = hours.get(companyId) ?? { since: now, count: 0 }
    hours.set(companyId, hour)
    hour.count += 1
    return hour.count <= mailLimits.mostTestMails
  }
}
