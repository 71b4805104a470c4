/** Ends in the database what lines of the journal say has ended: for each kind of line, what ends it. */
import type { EndedThing, LineOf } from "../../actors/erasure/EndedThing.ts"
import { endConsoleSessions, endMembers, endOperatorTokens, endOwners, endPasskeys } from "./endAccess.ts"
import { endAddresses } from "./endAddresses.ts"
import { endCustomers } from "./endCustomers.ts"
import { endCustomerSessions, endSessionsOfJourneys } from "./endCustomerSessions.ts"
import { endEach, endThose, type Ending } from "./ending.ts"
import { endKeys, endSecrets } from "./endKeys.ts"
import { endProviders } from "./endProviders.ts"
import { endAdministrators, endCompanies, endKeyRights } from "./endRights.ts"
import type { JournalLine } from "./journalLine.ts"

type What = EndedThing["what"]

/** In this order: a passkey or a session is said to be a member's as long as the member is here. */
const endings: { readonly [Kind in What]: Ending<Kind> } = {
  CUSTOMER: endCustomers,
  ADDRESS: endAddresses,
  CUSTOMER_SESSION: endCustomerSessions,
  JOURNEY: endSessionsOfJourneys,
  API_KEY: endKeys,
  WEBHOOK_SECRET: endSecrets,
  PASSKEY: endPasskeys,
  CONSOLE_SESSION: endConsoleSessions,
  OPERATOR_TOKEN: endOperatorTokens,
  OWNER: endOwners,
  MEMBER: endMembers,
  PROVIDER: endProviders,
  ADMINISTRATOR: endAdministrators,
  COMPANY: endCompanies,
  KEY_RIGHTS: endKeyRights
}

const kinds = Object.keys(endings) as ReadonlyArray<What>

const endOfKind = <Kind extends What>(what: Kind, lines: ReadonlyArray<JournalLine>): ReturnType<Ending<Kind>> =>
  endThose(
    lines.filter((line): line is LineOf<Kind> => line.what === what),
    endings[what]
  )

/** How many things were ended. */
export const applyLines = (lines: ReadonlyArray<JournalLine>) => endEach(kinds, (what) => endOfKind(what, lines))
