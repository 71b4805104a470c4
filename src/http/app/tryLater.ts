/** The outcome of a write is unknown. The customer may repeat everything, so the answer is "try again". */
import { Effect } from "effect"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"

export const tryLater = ({ cause }: { readonly cause: unknown }) => Effect.fail(new StoreUnavailable({ cause }))
