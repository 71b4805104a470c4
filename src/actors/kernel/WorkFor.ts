/**
 * For whom the work of a fiber is done: a company and a mode. Whoever takes a request up, or begins work by itself, says so
 * once; what is shared fairly (`FairQueue.ts`, the room for bodies of `http/server`, the budget of uploads) asks for it.
 * `WorkFor` gives nobody a right.
 */
import { Context } from "effect"
import type { CustomerSessionId } from "../../schema/ids.ts"

export interface WorkFor {
  /** Null where nobody is known, or where the whole installation is meant. */
  readonly companyId: string | null
  readonly livemode: boolean
  /** Who of the company: a key, a member, or a customer's journey. */
  readonly who: string
  /** The session of the customer who asks. */
  readonly sessionId?: CustomerSessionId
}

export const CurrentWorkFor = Context.Reference<WorkFor>("journeys/actors/CurrentWorkFor", {
  defaultValue: () => ({ companyId: null, livemode: true, who: "" })
})

/** A company and a mode, as the key of what the modes of a company do not share. */
export const partyOf = ({ companyId, livemode }: Pick<WorkFor, "companyId" | "livemode">): string =>
  `${livemode ? "live" : "test"} ${companyId ?? ""}`
