/** The port to the encryption keys of this node and what stands under each of them. Values are counted when it is asked. */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

interface CountedValues {
  readonly what: string
  readonly keyId: string
  readonly values: number
}

interface KeyUses {
  /** Keys that some node has begun to seal with. */
  readonly sealed: ReadonlySet<string>
  /**
   * Keys whose place a newer one has taken: those that some node has sealed with and none seals with now, but the newest; and those
   * that no node has sealed with and that were given before the newest began to seal. No other may be retired: a key that is given for
   * a change is the one to come.
   */
  readonly replaced: ReadonlySet<string>
}

export class EncryptionStatus extends Context.Service<
  EncryptionStatus,
  {
    readonly sealingId: string
    /** The sealing key first. */
    readonly ids: ReadonlyArray<string>
    readonly uses: Effect.Effect<KeyUses, StoreUnavailable>
    readonly counts: Effect.Effect<ReadonlyArray<CountedValues>, StoreUnavailable>
  }
>()("journeys/actors/EncryptionStatus") {}
