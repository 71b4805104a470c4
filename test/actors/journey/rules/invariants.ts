/**
 * The invariants of a journey's life, those that show without a database: each is a function from a history to what it finds
 * wrong, so one history can be held against all of them or one of them against many. The numbers are of this list; the INV- of
 * docs/decisions.md are others. Not a test itself.
 */
import type { Invariant } from "./history.ts"
import {
  changesTell,
  endsWithItsEvent,
  financeEventsOnFinanceJourneys,
  foldsToWhatIsStored,
  handoverAfterItsGates,
  mailsOncePerStep,
  remindsAtMostThreeTimesAnAsk,
  startsAndEndsOnce,
  tellsNothingPersonal
} from "./logInvariants.ts"
import {
  canBeCancelledOrCompleted,
  endsOnceWhoeverIsFirst,
  gatesOpenInEitherOrder,
  handlesAnIdOnce,
  simulatesOrdinaryLives,
  waitsForSomething
} from "./stateInvariants.ts"

/** Each with its own number and what it says. */
export const invariants: ReadonlyArray<{ readonly number: number; readonly says: string; readonly holds: Invariant }> =
  [
    {
      number: 1,
      says: "the log begins with journey.created and ends with at most one ending",
      holds: startsAndEndsOnce
    },
    { number: 2, says: "a journey is finished if and only if its ending was told", holds: endsWithItsEvent },
    { number: 3, says: "finance events belong to finance journeys", holds: financeEventsOnFinanceJourneys },
    { number: 4, says: "a handover is created first, and only behind open gates", holds: handoverAfterItsGates },
    { number: 5, says: "an active journey waits for something, or the service is at work", holds: waitsForSomething },
    { number: 6, says: "what changes anything tells it, what is ignored changes nothing", holds: changesTell },
    { number: 7, says: "a message handled twice is handled once", holds: handlesAnIdOnce },
    {
      number: 8,
      says: "the journal folds to the stored journey, numbered and timed without fault",
      holds: foldsToWhatIsStored
    },
    {
      number: 9,
      says: "an active journey can be cancelled, and completed in 7 steps",
      holds: canBeCancelledOrCompleted
    },
    { number: 10, says: "a simulation tells its event and equals ordinary messages", holds: simulatesOrdinaryLives },
    { number: 11, says: "the two gates open in either order", holds: gatesOpenInEitherOrder },
    {
      number: 12,
      says: "a step brings its mail once, and links lead to the step the journey is at",
      holds: mailsOncePerStep
    },
    {
      number: 15,
      says: "an ask has each of its three reminders at most once",
      holds: remindsAtMostThreeTimesAnAsk
    },
    { number: 13, says: "no event tells what only a read may show", holds: tellsNothingPersonal },
    { number: 14, says: "whoever ends a journey first ends it once", holds: endsOnceWhoeverIsFirst }
  ]
