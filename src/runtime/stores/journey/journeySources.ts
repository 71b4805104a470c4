/**
 * What a start and a commit both write, as the rows of their statements: the journey's columns, its events, mails and
 * photo. A column of a journey that every commit writes stands in `writtenColumns` and nowhere else. The statements are in
 * `startStatement.ts` and `commitStatement.ts`.
 */
import type { Commit, StartCommit } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Journey, PendingMail } from "../../../actors/journey/rules/state/Journey.ts"
import { clockOf } from "../../../actors/journey/rules/timers.ts"
import { openReview, stepAskedOf, waitingOnOf } from "../../../actors/journey/rules/state/waiting.ts"
import { typeOfShape } from "../../../schema/journey/statuses.ts"
import { isCustomerMail } from "../../../schema/mail/mailKinds.ts"
import { batchSource, type BatchColumns } from "../../postgres/batchStatement.ts"
import { columnName } from "../../postgres/rows.ts"

type Written = Commit | StartCommit

/** Which ask of the identity check the journey is at. Journeys of earlier versions have no number and count as 0. */
const identityCheck = ({ identity }: Journey): number =>
  identity === null || identity.status === "NOT_ASKED" ? 0 : (identity.check ?? 0)

/**
 * The state is opaque to the database: no statement reads inside it. What statements filter and count by are these columns
 * beside it, written by every commit from the same functions that everybody else asks.
 */
export const writtenColumns = {
  status: ["text", ({ journey }) => journey.status],
  state: ["json", ({ journey }) => journey],
  wakeAt: ["timestamptz", ({ wakeAt }) => wakeAt],
  type: ["text", ({ journey }) => typeOfShape[journey.shape]],
  waitingOn: ["text", ({ journey }) => waitingOnOf(journey)],
  step: ["text", ({ journey }) => stepAskedOf(journey)],
  review: ["text", ({ journey }) => openReview(journey)],
  handoverAt: ["timestamptz", ({ journey }) => journey.handover?.createdAt ?? null],
  identityStatus: ["text", ({ journey }) => journey.identity?.status ?? null],
  identityCheck: ["int4", ({ journey }) => identityCheck(journey)],
  endedAt: ["timestamptz", ({ journey }) => (journey.status === "ACTIVE" ? null : journey.lastEventAt)],
  traceparent: ["text", ({ traceparent }) => traceparent],
  clockId: ["uuid", ({ journey }) => clockOf(journey)]
} satisfies BatchColumns<Written>

export const writtenNames: ReadonlyArray<string> = Object.keys(writtenColumns).map(columnName)

export const eventSource = batchSource(
  (commits: ReadonlyArray<Written>) =>
    commits.flatMap(({ events, journey }) => events.map((event) => ({ ...event, journeyId: journey.id }))),
  {
    journeyId: ["uuid", ({ journeyId }) => journeyId],
    sequence: ["int4", ({ sequence }) => sequence],
    id: ["uuid", ({ id }) => id],
    type: ["text", ({ type }) => type],
    body: ["text", ({ body }) => body],
    at: ["timestamptz", ({ createdAt }) => createdAt]
  }
)

/** Mail to a customer goes straight into the built-in mailbox (`IsMailKept`), unless it waits or goes by a test clock. */
const goesStraight = (journey: Journey, { mail, waits }: PendingMail): boolean =>
  isCustomerMail(mail) && waits !== true && clockOf(journey) === null

/** How many mails of a commit have left with it. */
export const keptWith = ({ journey, mails }: Written): number =>
  mails.filter((mail) => goesStraight(journey, mail)).length

export const mailSource = (isMailKept: boolean) =>
  batchSource(
    (commits: ReadonlyArray<Written>) =>
      commits.flatMap(({ journey, mails }) => mails.map((mail) => ({ journey, mail }))),
    {
      journeyId: ["uuid", ({ journey }) => journey.id],
      serial: ["int4", ({ mail }) => mail.serial],
      kind: ["text", ({ mail }) => mail.mail],
      again: ["bool", ({ mail }) => mail.again],
      reminder: ["text", ({ mail }) => mail.reminder ?? null],
      until: ["int8", ({ mail }) => mail.until ?? null],
      waits: ["bool", ({ mail }) => mail.waits ?? false],
      isUnwritten: ["bool", ({ journey, mail }) => isMailKept && goesStraight(journey, mail)]
    }
  )

const makesHandover = ({ at, journey }: Written): boolean => journey.handover?.createdAt === at

const journeyColumn = { journeyId: ["uuid", ({ journey }) => journey.id] } satisfies BatchColumns<Written>

/** Commits that make a handover: the dealer whom a broker has named for it hears of it (M11). */
export const newHandoverSource = batchSource(
  (commits: ReadonlyArray<Commit>) => commits.filter(makesHandover),
  journeyColumn
)

/** Starts of journeys that have their handover from the start (H1), and whose dealer a broker has named: few of all starts. */
export const namedHandoverSource = batchSource(
  (starts: ReadonlyArray<StartCommit>) =>
    starts.filter((start) => start.dealerCompanyId !== null && makesHandover(start)),
  journeyColumn
)

/** Few commits have a photo. */
export const photoSource = batchSource(
  (commits: ReadonlyArray<Written>) => commits.filter(({ sealedPhoto }) => sealedPhoto !== null),
  {
    journeyId: ["uuid", ({ journey }) => journey.id],
    sealed: ["bytea", ({ sealedPhoto }) => sealedPhoto]
  }
)
