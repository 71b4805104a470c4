/** The port to the encryption keys of this node and what stands under each of them. Values are counted when it is asked. */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

interface CountedValues {
  readonly what: string
  readonly keyId: string
  readonly values: number
}

export class EncryptionStatus extends Context.Service<
  EncryptionStatus,
  {
    readonly sealingId: string
    /** The sealing key first. */
    readonly ids: ReadonlyArray<string>
    readonly counts: Effect.Effect<ReadonlyArray<CountedValues>, StoreUnavailable>
  }
>()("journeys/actors/EncryptionStatus") {}
