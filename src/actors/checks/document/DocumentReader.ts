/**
 * The port that looks at the photo of an identity document: whether it shows a document, and whether the document is the
 * customer's (D6, D8). What is done with the answer is decided by the attempt (`attemptResult.ts`).
 */
import { Context, Data, type Effect } from "effect"
import type { CheckReason } from "../../../schema/journey/statuses.ts"
import type { CleanPhoto } from "../../faces/FaceCheck.ts"
import type { CheckedCustomer } from "../../journey/rules/checkedCustomer.ts"

/** Why a person must look at a document. */
export type DocumentDoubt = Extract<
  CheckReason,
  "NO_DOCUMENT" | "DOCUMENT_UNREADABLE" | "NAME_DIFFERS" | "BIRTH_DATE_DIFFERS" | "DOCUMENT_EXPIRED" | "SEVERAL_PEOPLE"
>

export interface DocumentReading {
  /** Names, and the birth date where it is known, were read and are the customer's. */
  readonly fits: boolean
  /** A person decides unless this is empty. */
  readonly doubts: ReadonlyArray<DocumentDoubt>
}

/** Too many documents wait to be read: the customer tries again. */
export class DocumentReaderBusy extends Data.TaggedError("DocumentReaderBusy") {}

export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /** What cannot be read, for whatever reason, is a doubt. Nothing of what was read outlives the answer. */
    readonly read: (photo: CleanPhoto, customer: CheckedCustomer) => Effect.Effect<DocumentReading, DocumentReaderBusy>
  }
>()("journeys/actors/DocumentReader") {}
