/**
 * What a start would come to, as the dry run answers: how its journey goes when everybody does their part, and what it costs.
 * Forms only; the steps are decided by the journey's rules.
 */
import { Schema } from "effect"
import { WalletName } from "../company/Wallet.ts"
import { AwaitedFrom, AwaitedThing } from "../journey/actions.ts"
import { eventTypes } from "../journey/events.ts"
import { JourneyStatus } from "../journey/statuses.ts"
import { JourneyMailKind } from "../mail/mailKinds.ts"

const PlannedMail = Schema.Struct({
  kind: JourneyMailKind.annotate({ description: "A kind that is named as a step asks for that step" }),
  to: Schema.Literals(["CUSTOMER", "TEAM"]).annotate({
    description: "A test journey's customer gets no mail: the company's administrator gets it, marked TEST"
  })
}).annotate({ identifier: "PlannedMail" })

const PlannedStep = Schema.Struct({
  on: Schema.Literals(["START", ...AwaitedThing.literals]).annotate({
    description: "What is awaited, as `nextAction` and `waitingOn` name it; START is the start itself"
  }),
  who: AwaitedFrom.annotate({ description: "Who is asked for it" }),
  events: Schema.Array(Schema.Literals(eventTypes)).annotate({ description: "Told when it is done, in order" }),
  mails: Schema.Array(PlannedMail).annotate({ description: "Sent when it is done" }),
  charges: Schema.Array(WalletName).annotate({ description: "The wallets that pay when it is done" })
}).annotate({ identifier: "PlannedStep" })

const PlannedBill = Schema.Struct({
  wallet: WalletName,
  credits: Schema.Int.annotate({
    description: "Held from the start on, and charged by the step that names the wallet"
  }),
  free: Schema.Int.annotate({ description: "What the wallet has that is not held for other journeys" })
}).annotate({ identifier: "PlannedBill" })

export const StartPlan = Schema.Struct({
  livemode: Schema.Boolean,
  steps: Schema.Array(PlannedStep).annotate({
    description:
      "In the order in which they usually come. A finance decision and an identity check may be awaited at the same time"
  }),
  ends: JourneyStatus.annotate({ description: "How the journey ends if everything goes so" }),
  billing: Schema.Array(PlannedBill).annotate({ description: "Empty for a test journey, which costs nothing" })
}).annotate({ identifier: "StartPlan" })
export type StartPlan = typeof StartPlan.Type
