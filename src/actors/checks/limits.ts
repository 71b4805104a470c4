/** The limits of the checks that the service makes itself: attempts, looks, uploads, the frames that decide a video, and the turns it is asked to show. */
import { Duration } from "effect"

export const checkLimits = {
  /** Attempts at the built-in identity check that a customer has in a day on one journey (D3). */
  mostAttempts: 5,
  /**
   * Pairs of photos of one journey that the service looks at in a day. Unusable photos cost the customer no attempt, but
   * each look costs the service about a second of a core.
   */
  mostLooks: 20,
  attemptsCountedFor: Duration.days(1),
  /** Earlier attempts whose pictures a new attempt may not use again. Comparing with all of them takes some 0.05 seconds. */
  mostEarlierPrints: 10,
  /** A customer may continue an upload for this long after its beginning. Retention then removes what has arrived. */
  uploadOpenFor: Duration.hours(24),
  /**
   * A photo that waits for the check is kept for this long: a customer who was interrupted, or must take the other photo again,
   * comes back within the hour.
   */
  photosKeptFor: Duration.hours(1),
  /** Frames that must agree before they decide a video: a single matching frame may be a photo held up for a moment. */
  fewestAgreeingFrames: 2
} as const

/** The limits of the challenge in a handover video: the turns of the head that the customer is asked for. */
export const challengeLimits = {
  /** Eight orders. More turns take the customer longer and are misread more often. */
  turns: 3,
  /** From the page to the beginning of the upload: two minutes of video, and a slow line for a form without scripts. */
  lives: Duration.minutes(20),
  /** So long the same turns are shown again: who loads the page anew cannot choose the turns of a video from another day. */
  shownAgainFor: Duration.minutes(10),
  /** Known for so long, to be told apart from one that never was. */
  keptFor: Duration.days(1),
  /** Seconds of the video in which the customer is asked to turn: a little less than is looked at. */
  askedWithinSeconds: 15,
  /** In widths between the eyes. Photos of people who look at the camera have 0.09 at most. */
  farthestAhead: 0.1,
  /** A head turned by some 20 degrees. */
  leastTurned: 0.17,
  /** Frames between two turns that are compared with the reference until one shows the customer. */
  mostCompared: 3,
  /** Frames of the turns that are kept for the people who look. */
  mostKept: 8
} as const

/** What customers may upload in a day, videos and photos together (UTC). */
export const uploadBudget = {
  /** Of one journey: more than the looks that a customer has, with photos taken again in between. */
  mostUploads: 100,
  /** Of one journey: six of the largest videos. */
  mostBytesOfJourney: 600 * 2 ** 20,
  /** Of one session: whoever has got hold of a customer's link leaves the customer a share of the journey's, in a session of their own. */
  mostUploadsOfSession: 70,
  /** Of one session: four of the largest videos. */
  mostBytesOfSession: 400 * 2 ** 20,
  /** Of all journeys of a company: two thousand videos of a minute, and a few for whoever tries the sandbox. */
  mostBytesOfCompany: { LIVE: 40 * 2 ** 30, TEST: 2 * 2 ** 30 }
} as const

/** The limits of reading an identity document. `npm run bench:documents` measures what they lead to. */
export const documentLimits = {
  /**
   * Words of three letters and more that are read with certainty in a document. Seven photos of people had none, straight
   * specimens thirteen and more.
   */
  fewestWords: 4,
  shortestWord: 3,
  /** On the reader's scale to 100: what counts as read with certainty. */
  leastCertainty: 70,
  /** A face fills at most this part of the longer side of a document's photo: specimens have an eighth to a quarter, selfies more. */
  largestFacePart: 0.4,
  /** Letters of the shortest machine-readable line: 30, when the reader has missed ten fillers. */
  fewestLineLetters: 20,
  /** Fillers by which a line is known to be machine-readable though it was read badly. */
  fewestFillers: 5,
  /** How many letters the reader may have missed, or read twice, before the dates of a line. */
  mostShifted: 2,
  /** In words of so many letters the reader may mistake one: shorter names are too like each other. */
  longWord: 6,
  /** A name that was cut off at the end of its line is known by so many letters. */
  fewestCutLetters: 3,
  /** A document is valid for ten years, some for fifteen: a date of expiry further ahead is one of the last century. */
  longestValidYears: 30,
  /** Reading a document takes half a second to three seconds of a core. What takes longer stays unread. */
  readWithin: Duration.seconds(20),
  /** Documents of one company that wait for the one reader; the customers of more try again. */
  mostWaiting: 8,
  /** Companies take turns, so the documents of so many of them may wait, live and test each. */
  queuesOfAll: 8,
  /** A reader takes 220 MB and a second to start, so it is kept for the next document for so long. */
  keptFor: Duration.minutes(5),
  /** JavaScript's objects in the reader. Pictures and letters are outside of them. */
  heapMegabytes: 256,
  /** While it reads, the reader comes after everything else for a core, as the processes that look at photos do. */
  niceness: 10,
  /** A page full of letters has less. */
  largestTextBytes: 262_144
} as const
