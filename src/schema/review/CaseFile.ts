/**
 * A journey's case file: everything that a company's team needs in order to help, to decide and to hand over. It is opened
 * for one answer and kept nowhere. What was erased, or is kept no longer, is null. The timeline tells what happened; the
 * case file tells what is known.
 */
import { Schema } from "effect"
import { Assurance, HandoverType, PanelSubmission } from "../journey/statuses.ts"
import { HeadTurn, TurnsOutcome } from "../media/headTurns.ts"
import { JourneyResource } from "../journey/resource.ts"
import type { FieldsNamed, NamesIn } from "../start/allowList.ts"
import type { shownToTeam } from "../start/startReaders.ts"
import { ConfirmedAddress } from "./ConfirmedAddress.ts"
import { PictureName } from "./Review.ts"

/** The names that the start's readers put into a part of the case file. */
type NamesOf<Part extends string> = NamesIn<typeof shownToTeam, Part>

/** Why somebody reads a case file: it is written into the audit log. */
export const CaseReason = Schema.Literals(["review", "support"])
export type CaseReason = typeof CaseReason.Type

export const CaseQuery = Schema.Struct({
  reason: Schema.optionalKey(
    CaseReason.annotate({
      description: "Why it is read, for the audit log: to review, or to support",
      default: "support"
    })
  )
})

const text = Schema.NullOr(Schema.String)
const number = Schema.NullOr(Schema.Finite)

const Customer = Schema.Struct({
  title: text,
  firstName: Schema.String,
  lastName: Schema.String,
  email: Schema.String,
  mobile: text,
  dateOfBirth: text
} satisfies FieldsNamed<NamesOf<"CUSTOMER">>)

const Vehicle = Schema.Struct({
  registration: Schema.String,
  make: text,
  model: text,
  year: number,
  colour: text,
  inventoryVehicleId: text
} satisfies FieldsNamed<NamesOf<"VEHICLE">>)

const Seller = Schema.Struct({
  externalCompanyName: text,
  dealerCompanyId: text,
  dealerCompanyName: text.annotate({ description: "The name of that dealer on this service" }),
  dealerDirectoryId: text
} satisfies FieldsNamed<NamesOf<"SELLER"> | "dealerCompanyName">).annotate({
  description: "Who sells, where the start named somebody else than the company"
})

const Handover = Schema.Struct({
  type: HandoverType,
  notes: text.annotate({ description: "What the caller wrote for the team" }),
  dealerDirectoryId: text.annotate({
    description: "Who hands over, by its id in a directory: a dealer that is not on this service"
  }),
  address: Schema.NullOr(ConfirmedAddress).annotate({
    description: "Where the vehicle must go: what the customer confirmed; null in store, and until it is confirmed"
  })
} satisfies FieldsNamed<NamesOf<"HANDOVER"> | "type" | "dealerDirectoryId" | "address">)

const Finance = Schema.Struct({
  panelSubmission: Schema.NullOr(PanelSubmission).annotate({
    description: "Null on IDENTITY_DELIVERY, whose finance was approved before"
  }),
  panelName: text,
  panelReference: text,
  lender: text,
  vehiclePrice: number,
  depositAmount: number,
  monthlyBudget: number,
  loanTerm: number,
  application: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "What else the application says, with the names of the start: jobs, addresses, marital status, licence"
  })
} satisfies FieldsNamed<NamesOf<"FINANCE"> | "application">).annotate({
  description: "As the start recorded it; what became of it is in `journey.finance`"
})

export const ConsentAbout = Schema.Literals(["APPLICATION", "CALLERS_PHOTO", "IDENTITY_CHECK", "HANDOVER_VIDEO"])

const Consent = Schema.Struct({
  about: ConsentAbout,
  by: Schema.Literals(["CALLER", "CUSTOMER"]).annotate({ description: "Who told the service of it" }),
  answer: Schema.Literals(["AGREED", "REFUSED", "WITHDRAWN"]),
  notice: text.annotate({ description: "The version of the notice that the customer had before their eyes" }),
  at: Schema.String,
  details: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description:
      "How the caller recorded it, what was agreed to one by one, and where a photo that the caller sent is from (`photoSource`, `photoCapturedAt`)"
  })
})
export type CaseConsent = typeof Consent.Type

const reasons = Schema.Array(Schema.String).annotate({ description: "Codes, as the timeline has them" })

const IdentityAttempt = Schema.Struct({
  id: text.annotate({ description: "The id of an attempt at the built-in check; null for the word of somebody else" }),
  at: Schema.String,
  sender: Schema.String.annotate({ description: "Who said so: identity, operator, sandbox" }),
  comparison: text.annotate({
    description: "What the built-in check saw: SAME, UNCLEAR, DIFFERENT, NO_FACE, or NOT_JUDGED, which is no attempt"
  }),
  verdict: text.annotate({
    description: "What the journey took: VERIFIED, UNDER_REVIEW, FAILED or UNAVAILABLE; null when it took none"
  }),
  reasons
})
export type CaseIdentityAttempt = typeof IdentityAttempt.Type

const Identity = Schema.Struct({
  status: text,
  requestedAt: text,
  verifiedAt: text,
  assurance: Schema.optionalKey(Assurance),
  reasons,
  attempts: Schema.Array(IdentityAttempt).annotate({ description: "The newest at the end" })
})

const VideoVerdict = Schema.Struct({
  at: Schema.String,
  sender: Schema.String,
  verdict: Schema.Literals(["MATCH", "UNCLEAR", "MISMATCH", "APPROVED", "REJECTED"]),
  reasons
})
export type CaseVideoVerdict = typeof VideoVerdict.Type

const VideoUpload = Schema.Struct({
  begunAt: Schema.String,
  completedAt: text.annotate({ description: "Null while its parts still come" }),
  kind: text,
  seconds: number,
  bytes: Schema.Finite
})

export const FrameOutcome = Schema.Literals([
  "SAME",
  "UNCLEAR",
  "DIFFERENT",
  "NO_FACE",
  "SEVERAL_FACES",
  "NOT_COMPARED"
])
export type FrameOutcome = typeof FrameOutcome.Type

const Frame = Schema.Struct({
  number: Schema.Int.annotate({ description: "From 1" }),
  at: Schema.NullOr(Schema.Int).annotate({
    description: "Milliseconds from the beginning of the video; null where that is not known before the first look"
  }),
  outcome: FrameOutcome.annotate({
    description: "How its face compares with the reference; NOT_COMPARED for what nobody needed to compare"
  }),
  similarity: number.annotate({ description: "From 0 to 1, as the comparison computed it" }),
  turned: number.annotate({
    description:
      "How far the head is turned, in a frame that was taken for its turns: about -0.3 to the person's right, 0 ahead, 0.3 to the left"
  }),
  path: Schema.String
})
export type CaseFrame = typeof Frame.Type

const Reference = Schema.Struct({
  name: PictureName,
  attemptId: text,
  path: text.annotate({ description: "Where it can be seen; null when it is not kept any more" }),
  replaced: Schema.Boolean.annotate({ description: "The caller has sent another photo since the frames were compared" })
})

const Turns = Schema.Struct({
  asked: Schema.Array(HeadTurn).annotate({ description: "In their order; left and right are the customer's" }),
  seen: Schema.NullOr(Schema.Array(HeadTurn)).annotate({ description: "Null until they were looked for" }),
  outcome: Schema.NullOr(TurnsOutcome).annotate({
    description:
      "MET: seen in their order, and the customer between them; OTHERS: other turns; NOT_SEEN: too few, or too unsure; null until they were looked for"
  })
})
export type CaseTurns = typeof Turns.Type

const Video = Schema.Struct({
  sent: Schema.Int.annotate({ description: "How many videos the customer has sent" }),
  mismatches: Schema.Int.annotate({ description: "How many in a row showed somebody else" }),
  reasons,
  uploads: Schema.Array(VideoUpload).annotate({
    description: "What is kept of them: the last video, and one under way"
  }),
  verdicts: Schema.Array(VideoVerdict).annotate({ description: "The newest at the end" }),
  path: text.annotate({ description: "Where the last video can be viewed, as long as it is kept" }),
  frames: Schema.Array(Frame).annotate({
    description:
      "The frames of the last video at the moments that were compared, or spread over it where nothing was compared. Each look is in the audit log"
  }),
  turns: Schema.NullOr(Turns).annotate({
    description: "The turns of the head that the last video had to show; null for a video that was asked for none"
  }),
  reference: Schema.NullOr(Reference).annotate({
    description: "The photo that the last video was compared with, or would be; null when there is none"
  })
})

const Picture = Schema.Struct({
  name: PictureName,
  attemptId: text.annotate({ description: "The attempt at the identity check that the photo belongs to" }),
  path: Schema.String
})
export type CasePicture = typeof Picture.Type

export const CaseFileResource = Schema.Struct({
  journey: JourneyResource,
  erased: Schema.Boolean.annotate({ description: "The customer was erased: what was personal is gone" }),
  customer: Schema.NullOr(Customer),
  vehicle: Schema.NullOr(Vehicle),
  seller: Schema.NullOr(Seller),
  handover: Handover,
  finance: Schema.NullOr(Finance),
  consents: Schema.Array(Consent),
  identity: Schema.NullOr(Identity).annotate({ description: "Null where the journey has no identity check" }),
  video: Schema.NullOr(Video).annotate({ description: "Null until there is a handover" }),
  pictures: Schema.Array(Picture).annotate({ description: "Photos that are kept; each look is in the audit log" }),
  mediaKeptUntil: text.annotate({
    description: "When photos and the video are deleted; null while the journey runs"
  }),
  customerKeptUntil: text.annotate({
    description: "When the customer is erased by itself; null: only by hand, or a journey of theirs runs"
  }),
  applicationKeptUntil: text.annotate({
    description:
      "When what a declined application says of the customer is erased, or was; null: with the customer, and for every other journey"
  }),
  timeline: Schema.String.annotate({ description: "The path of the timeline, which tells what happened" })
}).annotate({ identifier: "CaseFile" })
export type CaseFileResource = typeof CaseFileResource.Type
