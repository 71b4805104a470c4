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

export const makeReadDocument = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const records = yield* PersonalRecords

  return Effect.fnUntraced(function* (journeyId: JourneyId, { clean, verdict }: Judged) {
    if (verdict !== "SAME") return unread
    const record = yield* Effect.catchTag(records.read(journeyId), "Unopenable", Effect.die)
    const customer = checkedCustomer(record)
    // A start that does not name its customer has nothing to compare the document with.
    return customer === null ? unread : yield* reader.read(clean.documentPhoto, customer)
  })
})
