/** The limits of mail: how much of it is sent at once, how long one try may take, and when a failed mail is tried again. */
import { Duration } from "effect"

export const mailLimits = {
  /**
   * A mail about a try that failed before the customer's eyes waits until they have not been seen for this long. Who goes on at once needs
   * no mail.
   */
  customerAwayFor: Duration.minutes(5),
  /** The postman looks for due mail this often. A person does not notice a second. */
  lookEvery: Duration.seconds(1),
  /** Mails that a node hands to the SMTP server at once, the kept places among them: a server that works is not flooded. */
  mostInHand: 12,
  /** Live mails of one company in hand at once, half of the places that are not kept. A company alone fills a server that answers in time. */
  mostOfOneCompany: 4,
  /**
   * Mails about one company's test journeys in hand at once, beside its live ones: a server that hangs on the administrator, to whom test
   * mail goes, keeps no live mail of the company.
   */
  mostTestMailsOfOneCompany: 1,
  /** A try that took this long is slow: most likely the server hangs on the company's recipients. */
  slowAfter: Duration.seconds(5),
  /** Mails in hand of a company whose last try was slow, until one is quick: enough to notice that the server answers again. */
  mostWhileSlow: 1,
  /** A slow try is forgotten after this time without another: the company may never be mailed again. */
  slowFor: Duration.hours(1),
  /** The last places are kept for mail that somebody asked for just now: to sign in, and a customer's link. */
  keptForAsked: 4,
  /** Such mails that one company has in hand on top of its share: who signs in does not wait behind the company's other mail. */
  askedOnTop: 2,
  /** One try in a kept place. The next mail to sign in must not wait a minute for a server that hangs on everybody. */
  keptSendWithin: Duration.seconds(10),
  /** Mails that a node writes into the built-in mailbox at once. They share their statements. */
  mostKeptAtOnce: 64,
  /** One try, whatever the SMTP server does. */
  sendWithin: Duration.seconds(60),
  /** The pause before the outcome of a try is recorded again, and for how long it is tried. After that the mail comes twice. */
  recordAgainEvery: Duration.millis(250),
  recordAgainFor: Duration.seconds(15),
  /** No other node takes the mail for this long. It is longer than a try and its record: only a dead node exceeds it. */
  takenFor: Duration.minutes(2),
  /**
   * After this many tries a mail no longer holds back the later mails of its journey. Their order matters within minutes,
   * and a customer whom one mail did not reach for longer must still get the others.
   */
  triesInOrder: 4,
  /** The delay after the first failed try. It doubles from try to try. */
  firstRetryAfter: Duration.seconds(30),
  /** The delay grows no further than this: a server that works again is noticed within this time. */
  longestRetryDelay: Duration.hours(6),
  /** Tries after the first one. Ten doublings take eight and a half hours; the other retries fill three days. */
  retries: 21,
  /** Mails about test journeys that one node sends for one company in an hour (decision S8). */
  mostTestMails: 500,
  /**
   * Customer mails to one address, over all companies (decision M9). An honest sale has about ten mails in weeks; more than this
   * would make the service a tool to annoy somebody with.
   */
  mostToAddress: [
    { mails: 10, within: Duration.hours(1) },
    { mails: 30, within: Duration.days(1) }
  ],
  testMailsCountedFor: Duration.hours(1),
  /** Members who get one mail to the team, those who were invited first: with more, everybody relies on everybody else. */
  mostOfTeam: 50,
  /** Changes of keys, members, webhooks and passkeys that happen within this long are told in one mail (decision M10). */
  changesMailedTogether: Duration.minutes(5),
  /** The mail waits this much longer, so that a change which is just being written is in it. */
  changesWrittenWithin: Duration.seconds(30),
  /** Changes that such a mail lists; of more it says how many. */
  mostChangesListed: 20,
  /** Changes that are read for such a mail: the members whom they are about hear of them. */
  mostChangesRead: 500,
  /** What a company has sent, and what of it came back, is counted over this long (decision M9). */
  standingOver: Duration.days(1),
  /**
   * Mails to others that a company may send in that time while it is younger than this. A dealer sells ten cars on a good day, and a
   * sale has about ten mails in weeks; whoever wants to flood strangers needs more, and needs it before anybody notices.
   */
  mostOfNewCompany: [
    { youngerThan: Duration.days(7), mails: 200 },
    { youngerThan: Duration.days(30), mails: 1000 }
  ],
  /** Mail stops when more than this share of at least so many mails came back: mail servers block senders at less. */
  mostReturned: 0.1,
  returnedOfAtLeast: 20,
  /** Mail of a company that was stopped asks this often whether it was started. Starting it wakes it, too. */
  stoppedAsksEvery: Duration.hours(1),
  /** Mails of a company that wait for the same moment leave spread over this long, so that other companies' mail does not wait behind them. */
  heldSpreadOver: Duration.hours(1)
} as const
