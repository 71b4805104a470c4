/**
 * The bodies with which outside providers call back: the finance panel's decision and the identity provider's result. Only
 * the form is judged here. Whether a callback is genuine, and what it changes, is decided elsewhere.
 */
import { Schema } from "effect"
import { text } from "../start/text.ts"
import { Decision } from "../journey/statuses.ts"

const id = text(255).annotate({
  description: "The provider's own id of this callback: one that comes again with it has no effect again"
})

export const FinanceCallbackBody = Schema.Struct({ id, decision: Decision }).annotate({ identifier: "FinanceCallback" })
export type FinanceCallbackBody = typeof FinanceCallbackBody.Type

export const IdentityCallbackBody = Schema.Struct({
  id,
  result: Schema.Literals(["VERIFIED", "UNDER_REVIEW", "FAILED"])
}).annotate({ identifier: "IdentityCallback" })
export type IdentityCallbackBody = typeof IdentityCallbackBody.Type
