/** The limits that hold for every request of every endpoint. Limits of single fields stand with their schemas. */
import { Duration } from "effect"
import { callbackLimits } from "../../schema/requests/limits.ts"

const mebibyte = 2 ** 20

export const httpLimits = {
  /** Characters of the hash in the name of a style sheet or script: two versions never share them. */
  assetHashLength: 16,
  /** A browser keeps a style sheet or a script this long. A new version has another name. */
  assetsKeptFor: Duration.days(365),
  /** A browser that came over https comes back over https for this long. */
  httpsOnlyFor: Duration.days(365),
  /** A plain form of a page. An address with every field at its limit, and each character escaped, fits with room to spare. */
  largestFormBytes: 32 * 1024,
  /** The bytes of a field beside the files of a form: the token, and the turns that a video was made for. */
  largestFieldBytes: 1024,
  /** Everything around the parts of a form with files: boundaries and headers. */
  largestWrappingBytes: 16 * 1024,
  /** A form with files may be this many times as large as its files may be together. Only then it can say which file is too large. */
  oversizedForms: 2,
  /** A JSON body (decision R13). The fullest legal start has about 30 KB. */
  largestJsonBytes: 1024 * 1024,
  /** A multipart body (decision R13): the photo's 5 MB, the JSON part, and the wrapping. */
  largestMultipartBytes: 6 * 1024 * 1024,
  /** The JSON part of a multipart body. It leaves the rest of the body to the photo. */
  largestJsonPartBytes: 512 * 1024,
  /** A callback of a provider, without a portrait. The fullest legal callback has about five thousand bytes. */
  largestCallbackBytes: 16 * 1024,
  /** A callback with an identity result: the largest portrait in base64, and as much as any other callback may have. */
  largestIdentityCallbackBytes: 4 * Math.ceil(callbackLimits.largestPortraitBytes / 3) + 16 * 1024,
  /** Characters of a multipart boundary (RFC 2046, 5.1.1). */
  longestBoundary: 70,
  /**
   * A page says so long before that a session ends, of a customer or of the console. WCAG 2.2.1 asks for 20 seconds at least; who reads
   * with a screen reader, or has to find the page again, needs more.
   */
  sessionEndSaidBefore: Duration.minutes(3),
  /** An open page asks this often when the session ends: another page may have prolonged it. */
  sessionEndAskedEvery: Duration.minutes(10),
  /** The parts of a video that a player asks for within this time of its beginning belong to one look. */
  oneLookLasts: Duration.minutes(15),
  /** How often the log says that requests are answered 503 because a store cannot be reached, however many there are. */
  unavailableSaidEvery: Duration.minutes(1),
  /** Ranges of `Accept-Language` that are looked at. Browsers send up to about ten. */
  mostLanguageRanges: 30,
  /** Pieces of a body that lie in memory one by one. A photo of 5 MB comes in about a hundred. */
  mostLoosePieces: 256,
  /** Fields at fault that the request log keeps of one request: who makes more mistakes at once reads the answer. */
  fieldsInRequestLog: 20,
  /** Problems that one answer lists. A body of 1 MB can be wrong in thousands of places, and nobody reads them all. */
  mostProblemsListed: 20,
  /** Characters of a cursor of events. A sealed one has about 120, with the id of the key that sealed it. */
  longestCursor: 200,
  /** The span of time in which requests of one key are counted (decision A10). */
  rateLimitWindow: Duration.seconds(60),
  /**
   * Requests without a valid key that one address may make in a window before it is answered RATE_LIMITED (decision A9).
   * A valid key from the same address is served all the same, because many callers can share one address. The mark in
   * the text of a key is what keeps floods from the database.
   */
  refusalsPerAddress: 300,
  /**
   * Wrong tokens of the operator from one address in a window. After that the address is locked out until the window has passed,
   * also with a right token: who guesses must not learn of a hit. Other addresses, signed-in people and API keys notice nothing.
   */
  guessesPerAddress: 20,
  /**
   * What a customer uploads may take longer than other requests, as long as each span of `uploadSpan` brings this many
   * bytes: about 4 KB a second. A line that stands still for a whole span ends the request.
   */
  fewestBytesPerSpan: 128 * 1024,
  uploadSpan: Duration.seconds(30),
  /** An upload takes this long at most, whatever its pace. A customer's session lives longer without a request. */
  longestUpload: Duration.minutes(20),
  /**
   * Bodies up to this size need no room in the budget of bodies. The fullest legal start fits, and the rate limit of a key
   * bounds how many of them can be on their way.
   */
  largestSmallBody: 32 * 1024,
  /**
   * The bytes of large bodies that are read in one turn of the event loop: two pieces. Whoever waits for the loop waits for as much of them
   * all, however many come at once.
   */
  bodyBytesPerTurn: 128 * 1024,
  /** The most that Node reads from a connection at once. */
  bodyPieceBytes: 64 * 1024,
  /** The budget of bodies where memory is short: every form and upload still fits, one at a time. */
  smallestBodyBudget: 128 * mebibyte,
  /** The budget of bodies on a large machine: what lies in memory must also be looked at, and threads are few. */
  largestBodyBudget: 512 * mebibyte,
  /** The part of the memory that bodies may take. A body is copied while it is put together and looked at. */
  shareOfMemoryForBodies: 1 / 8,
  /** The parts of the budget: live journeys have most of it; what is left is for callers whom nobody knows yet. */
  shareOfLiveBodies: 5 / 8,
  shareOfTestBodies: 1 / 4,
  /**
   * A large body brings this many bytes in each span, or is cut: 8 KB a second. It would keep room from others. What customers
   * upload has a pace of its own (`fewestBytesPerSpan`).
   */
  fewestBytesPerBodySpan: 40 * 1024,
  bodySpan: Duration.seconds(5),
  /**
   * Requests that begin in one turn of the event loop: those that change something, those that read, and pages with their forms. The first part
   * of a start occupies the loop for half a millisecond or more, so whoever waits beside 128 that arrive together waits for one long
   * turn after the other. With fewer in a turn the statements of group commit and group reading become smaller, and each request dearer.
   * A page asks the database several things of its own: beside four in a turn, reads wait for a free connection eight times as long as beside two.
   */
  changesPerTurn: 4,
  readsPerTurn: 16,
  pagesPerTurn: 2,
  /** A company and mode of which so many requests wait for their turn is a crowd: more than its turns of the next moment. */
  crowd: 8,
  /** A crowd leaves the rest of the loop's time to others, as long as they ask for little. */
  shareOfCrowds: 0.9,
  /** Others count for so many milliseconds after they asked for little, and who was a crowd is none of them for as long. */
  othersAskedWithin: 1000,
  /** A crowd's next requests begin after so many milliseconds at the latest, however busy the loop is. */
  longestCrowdPause: 25,
  /** While a crowd waits, its part is looked at again after so many milliseconds. */
  lookAgainAfter: 1,
  /** Requests that wait for a turn, in each mode. Beyond them whoever asks is asked to come again. */
  mostRequestsWaiting: 10_000,
  /** Lists that a node reads at once. The other connections to the database are left to starts, reads and messages. */
  listsAtOnce: 4,
  /** Lists of one company and mode that wait for their turn. Beyond them the company is asked to come again. */
  mostListsWaitingOfOne: 40,
  /** Lists of one mode that wait in all. */
  mostListsWaiting: 400,
  /** How long a list waits for its turn. With the time of its reading it is answered within five seconds, also by a database that hangs. */
  longestListWait: Duration.millis(1500),
  /** The rest of a refused body is read for this long at most. A slower client is answered while it sends. */
  longestDrain: Duration.seconds(5),
  /** A client that has sent nothing for this long waits for its answer. */
  drainPause: Duration.millis(250),
  /** The server itself reads this much of an unread body after the answer, so nothing has to be done about a smaller body. */
  bytesLeftToTheServer: 256 * 1024
} as const

/** The window of the rate limit in whole seconds, as headers and sentences say it. */
export const rateLimitSeconds = Duration.toSeconds(httpLimits.rateLimitWindow)
