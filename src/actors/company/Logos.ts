/** The port to the logos that companies show, by the digest of their bytes. `CompanyStore.ts` writes them with the company. */
import { Context, type Effect } from "effect"
import type { KeptLogo } from "../../schema/company/Brand.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

export interface ShownLogo extends Pick<KeptLogo, "type"> {
  readonly bytes: Uint8Array
}

export class Logos extends Context.Service<
  Logos,
  {
    /** Null: no company shows such a logo now. */
    readonly find: (digest: string) => Effect.Effect<ShownLogo | null, StoreUnavailable>
  }
>()("journeys/actors/Logos") {}
