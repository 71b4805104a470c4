/**
 * What can have ended: one description for each kind of line of the journal, from which the port, the files and the replay are made. A
 * line is ids, hashes of random secrets and times: it holds no personal data, and opens nothing. A new kind is described here, ended
 * again in `runtime/erasures/applyLines.ts` (which does not compile without it), and written by the store that ends it.
 *
 * Some things can be set anew after they have ended, to the same value too. `since` of their lines is the time, by the clock
 * of the database, from which the old value is over: a replay leaves a younger value alone. A line only takes away: it does
 * not hold the new value.
 */
import { Schema } from "effect"
import { providerKinds } from "../company/providers.ts"

const line = <const What extends string, const Fields extends Schema.Struct.Fields>(what: What, fields: Fields) =>
  Schema.Struct({ at: Schema.String, what: Schema.Literal(what), ...fields })

/** An id, or a hash in hexadecimal digits. */
const text = Schema.String
/** Epoch milliseconds. */
const millis = Schema.Finite

export const EndedLine = Schema.Union([
  line("CUSTOMER", { companyId: text, customerId: text }),
  /** The hash under which the key's text was found. */
  line("API_KEY", { companyId: text, hash: text }),
  /** The hash of a secret that must not sign any more after `until`. */
  line("WEBHOOK_SECRET", { endpointId: text, hash: text, until: millis }),
  /** A member who was removed, and with them their passkeys and sessions. */
  line("MEMBER", { companyId: text, memberId: text }),
  /** A member who is an owner no more. */
  line("OWNER", { companyId: text, memberId: text, since: millis }),
  line("PASSKEY", { companyId: text, passkeyId: text }),
  /** A session of the console, a member's or the operator's. Its secret may have changed since the backup; its id has not. */
  line("CONSOLE_SESSION", { sessionId: text }),
  /** A named token of the operator, and with it the sessions that it opened. */
  line("OPERATOR_TOKEN", { tokenId: text }),
  /** The address of a customer that was corrected. Neither address is told. */
  line("ADDRESS", { companyId: text, customerId: text, since: millis }),
  /** A session of a customer. The link that opened it may be unused in the backup, and opens nothing any more. */
  line("CUSTOMER_SESSION", { sessionId: text, linkHash: text }),
  /** A journey that has ended, and with it what its customer could do in sessions and by links. */
  line("JOURNEY", { journeyId: text }),
  /** An outside provider of a company that was changed or taken away, and with it the secret. */
  line("PROVIDER", { companyId: text, provider: Schema.Literals(providerKinds), since: millis }),
  /** The address of a company's administrator that was changed. Neither address is told. */
  line("ADMINISTRATOR", { companyId: text, since: millis }),
  /** A company that was turned off. */
  line("COMPANY", { companyId: text, since: millis }),
  /** An API key that may do less than before. What it may do is not told. */
  line("KEY_RIGHTS", { companyId: text, keyId: text, since: millis })
])

type Line = typeof EndedLine.Type
type WithoutTime<One> = One extends unknown ? Omit<One, "at"> : never

export type EndedThing = WithoutTime<Line>

export type LineOf<What extends Line["what"]> = Extract<Line, { readonly what: What }>
