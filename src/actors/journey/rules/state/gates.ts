/**
 * The two gates before a handover: the lender's decision and the identity check. Here is only whether they are open; how
 * they open is in the transition table.
 */
import type { Journey } from "./Journey.ts"

/** The lender may still decide. */
export const isFinancePending = ({ finance }: Journey): boolean =>
  finance?.status === "SUBMITTED" || finance?.status === "REFERRED"

/** Both gates are open and no handover exists yet: HANDOVER_BEING_CREATED (H1). */
export const isHandoverReady = ({ finance, handover, identity, status }: Journey): boolean =>
  status === "ACTIVE" &&
  handover === null &&
  identity?.status === "VERIFIED" &&
  (finance === null || finance.status === "APPROVED")
