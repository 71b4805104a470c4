/** The limits of `npm run journeys -- doctor`, each with its reason. */
import { Duration } from "effect"

export const doctorLimits = {
  /** A certificate is renewed long before this, where its renewal works. */
  leastCertificateLife: Duration.days(14),
  /** The public address may not be reachable from inside. */
  certificateWithin: Duration.seconds(5)
} as const
