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
    /** Keys that some node has sealed with and that are not the newest of those: no other may ever be retired. */
    readonly replaced: Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    readonly counts: Effect.Effect<ReadonlyArray<CountedValues>, StoreUnavailable>
  }
>()("journeys/actors/EncryptionStatus") {}
