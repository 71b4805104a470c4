/**
 * The port to the forms that may be sent once: those that make a key or a secret, whose answer is the page itself. A reload of
 * such a page sends the form again, and a double click sends it twice; only the first of them counts. Nothing of a form is kept
 * but its number.
 */
import { Context, type Effect } from "effect"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

export class SentForms extends Context.Service<
  SentForms,
  {
    /** Whether the form with this number was not sent before. From now on it was. */
    readonly isFirst: (formId: string) => Effect.Effect<boolean, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/SentForms") {}
