/**
 * Has the document of a clear match read (D6, D8). The document of any other attempt is not read: a person decides, or the
 * customer tries again.
 */
import { Effect } from "effect"
import type { JourneyId } from "../../../schema/ids.ts"
import { PersonalRecords } from "../../customer/PersonalRecords.ts"
import { checkedCustomer } from "../../journey/rules/checkedCustomer.ts"
import { DocumentReader, type DocumentReading } from "../document/DocumentReader.ts"
import type { IdentityJudgement } from "./judgePhotos.ts"

type Judged = Extract<IdentityJudgement, { readonly _tag: "Judged" }>

/** What is known of a document that was not read. */
export const unread: DocumentReading = { fits: false, doubts: ["DOCUMENT_UNREADABLE"] }

/**
 * A document shows one person. A face in its photo that is somebody else's may be its holder's: who holds a stolen document beside the
 * own face would be compared with the own face. The document may fit the customer all the same.
 */
const withOthers = ({ doubts, fits }: DocumentReading): DocumentReading => ({
  fits,
  doubts: [...doubts, "SEVERAL_PEOPLE"]
})

export const makeReadDocument = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const records = yield* PersonalRecords

  return Effect.fnUntraced(function* (journeyId: JourneyId, { clean, showsOthers, verdict }: Judged) {
    if (verdict !== "SAME") return unread
    const record = yield* Effect.catchTag(records.read(journeyId), "Unopenable", Effect.die)
    const customer = checkedCustomer(record)
    // A start that does not name its customer has nothing to compare the document with.
    const reading = customer === null ? unread : yield* reader.read(clean.documentPhoto, customer)
    return showsOthers ? withOthers(reading) : reading
  })
})
