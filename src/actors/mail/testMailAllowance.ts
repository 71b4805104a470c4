/**
 * How much mail about test journeys leaves the service: all of it goes to one administrator (decision S8), who must not
 * be flooded when a company tries out thousands of journeys. Each node counts for itself; what is beyond is not sent.
 */
import { Duration } from "effect"

export const mostTestMailsAnHour = 500

const hourMillis = Duration.toMillis(Duration.hours(1))

/** Asked once a mail; `now` is epoch milliseconds. A company's hour begins with its first mail. */
export const makeAllowance = () => {
  const hours = new Map<string, { readonly since: number; count: number }>()
  return (companyId: string, now: number): boolean => {
    for (const [id, { since }] of hours) if (now - since >= hourMillis) hours.delete(id)
    const hour = hours.get(companyId) ?? { since: now, count: 0 }
    hours.set(companyId, hour)
    hour.count += 1
    return hour.count <= mostTestMailsAnHour
  }
}
