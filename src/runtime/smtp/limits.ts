/** The limits of the connection to the SMTP server. `actors/mail/limits.ts` has the limits of mail itself. */
import { Duration } from "effect"

export const smtpLimits = {
  /** For the look-up of the server's name, for the connection, and for the greeting, each. */
  openWithin: Duration.seconds(10),
  /** A server that sends nothing for this long is gone. */
  silence: Duration.seconds(20),
  /** A connection that carries no mail is closed after this long. */
  idle: Duration.seconds(10),
  /** A connection that the server has closed is replaced this often for one mail. Then the mail waits for its next try. */
  replacements: 1
} as const
