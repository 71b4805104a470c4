/**
 * The port that reads the text of an identity document and says whether it fits the customer (D6, D8). What is done with the
 * answer is decided by the attempt: an unread document leaves the check at FACE_MATCH.
 */
import { Context, type Effect } from "effect"
import type { CheckedCustomer } from "../journey/rules/checkedCustomer.ts"

/** FITS: names, and the birth date where it is known, are the customer's. DIFFERS: the document names somebody else. */
export type DocumentReading = "FITS" | "DIFFERS" | "UNREAD"

export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /** The photo is a clean JPEG. What cannot be read, for whatever reason, is UNREAD: a reader never fails. */
    readonly read: (photo: Uint8Array, customer: CheckedCustomer) => Effect.Effect<DocumentReading>
  }
>()("journeys/actors/DocumentReader") {}
