/**
 * What a company must have before a journey may start (§1): an identity provider, a finance panel, credit. A test key meets
 * the company's sandbox switches instead of its configuration (S6). Pure; who looks the company up is elsewhere.
 */
import type { FieldError } from "../../../schema/problems.ts"
import { errorCatalogue, type ErrorCode } from "../../../schema/problems.ts"
import type { StartRequest } from "../../../schema/start/startBodies.ts"
import type { Shape } from "../../../schema/journey/statuses.ts"
import type { WalletHold } from "./billing.ts"
import type { StartingKey } from "../../company/Keyring.ts"

const includesIdentityCheck = (shape: Shape): boolean => shape !== "FINANCE_SALE"

const refusal = (code: ErrorCode, field: string): FieldError => ({ field, code, message: errorCatalogue[code].meaning })

/** Everything that is missing, in the order of §1. Of a live company's wallets only the store knows. */
export const missingFor = (request: StartRequest, { company, livemode }: StartingKey): ReadonlyArray<FieldError> => {
  const { shape } = request
  const hasIdentity = livemode ? company.identityBy !== null : company.sandbox.identityConfigured
  const hasPanel = livemode ? company.hasFinancePanel : company.sandbox.panelConfigured
  return [
    ...(includesIdentityCheck(shape) && !hasIdentity ? [refusal("EKYC_NOT_CONFIGURED", "identity")] : []),
    ...(shape === "FINANCE_SUBMIT_VIA_MIRA" && !hasPanel ? [refusal("FINANCE_PANEL_NOT_CONFIGURED", "finance")] : []),
    ...(livemode || company.sandbox.credits ? [] : creditsFor(request).map(({ wallet }) => creditsShort(wallet)))
  ]
}

/** `field` names the wallet that is short of credit (B3). */
export const creditsShort = (wallet: WalletHold["wallet"]): FieldError =>
  refusal("INSUFFICIENT_CREDITS", `wallets.${wallet}`)

/** The credits that this start holds: none when the lender has declined already, because no check follows (F2). */
export const creditsFor = (request: StartRequest): ReadonlyArray<WalletHold> =>
  request.shape === "FINANCE_ALREADY_SUBMITTED" && request.finance.decision === "DECLINED"
    ? []
    : holdsFor(request.shape)

/** The credits of a shape's checks: a whole credit each. The caller of this function leaves test journeys out. */
export const holdsFor = (shape: Shape): ReadonlyArray<WalletHold> => {
  switch (shape) {
    case "FINANCE_SUBMIT_VIA_MIRA":
      return [
        { wallet: "APPLICATION", credits: 1 },
        { wallet: "IDENTITY", credits: 1 }
      ]
    case "FINANCE_ALREADY_SUBMITTED":
    case "IDENTITY_DELIVERY":
    case "CASH_SALE":
      return [{ wallet: "IDENTITY", credits: 1 }]
    case "FINANCE_SALE":
      return []
  }
}
