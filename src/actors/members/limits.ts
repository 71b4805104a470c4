/** The limits of members: how they sign in, how long a session of the console lives, and how many people and passkeys there are. */
import { Duration } from "effect"

export const memberLimits = {
  /** A link that somebody has just asked for: they wait before their mail. Its life begins when the mail is handed over. */
  linkLifetime: Duration.minutes(10),
  /** The link of an invitation. Nobody waits for it: it lives over a weekend, as a customer's link does. */
  invitationLifetime: Duration.hours(72),
  /** Who has never signed in is invited again after this long: a mail was lost, or thrown away. More often would annoy a stranger. */
  invitedAgainAfter: Duration.hours(1),
  /** A mail with a link that could not be handed over for this long is not sent any more: whoever asked has asked again. */
  signInMailWorthFor: Duration.hours(1),
  /** Mail with a link to sign in leaves before other mail that has been due for less than this: somebody waits for it. */
  signInMailAhead: Duration.minutes(5),
  /** Links that one address is mailed in `linksCountedFor`, whoever asks. More would make the service a tool to annoy somebody with. */
  mostLinks: 10,
  linksCountedFor: Duration.hours(1),
  /** Links that may be asked for in a minute for one address, and from one address of the network, where a whole office may sit. */
  linksAskedAMinute: 5,
  linksAskedAMinuteFromOnePlace: 60,
  /** A session of the console ends after this long without a request: a lunch and a meeting do not cost a new mail. */
  sessionIdleTime: Duration.hours(3),
  /** A session of the console ends after this long in any case: one working day. */
  sessionLifetime: Duration.hours(12),
  /** Sessions of one person, in all their companies: a computer at work and one at home, a telephone, a tablet and a second browser. */
  mostSessions: 5,
  /** Sessions that one token of the operator has open. Several people of a shift may share the root token. */
  mostOperatorSessions: 20,
  /** That a session is used is written this often. A page asks for several things, and each need not be a write. */
  sessionSeenEvery: Duration.minutes(1),
  /** Members of one company. A larger group shares companies by site. */
  mostMembers: 500,
  /** Companies of one address that are shown to choose from. */
  mostCompanies: 100,
  /** Companies that get their first owner in one statement, at the start of the service. */
  companiesAtOnce: 100,
  /** How long after a sign-in a member may change passkeys, end sessions and erase customers: time to find the telephone and to name the passkey. */
  signInFreshFor: Duration.minutes(10),
  /** Passkeys of one member: a telephone, a computer, a key on the ring, and some to spare. */
  mostPasskeys: 10,
  /** How long somebody has to touch their authenticator. */
  challengeLifetime: Duration.minutes(5)
} as const
