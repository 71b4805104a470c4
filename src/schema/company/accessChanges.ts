/**
 * The changes that every owner of a company hears of by mail, by their actions in the audit log: who and what gets into the company (its
 * API keys, members, webhook endpoints and passkeys, and whether members need passkeys), to whom what customers gave is sent, and what
 * protects customers. Whatever writes the line of such a change owes the owners a mail in the same statement (decision M10). What the
 * mail says of each is in `actors/mail/wording/access.ts`.
 */
import { Schema } from "effect"

/** In the order in which a mail that cannot list all of them keeps them: what lets somebody in, sends data elsewhere or protects customers less comes before keys, of which there may be many. */
export const AccessChange = Schema.Literals([
  "company.recipients_changed",
  "company.protection_lowered",
  "member.changed",
  "member.invited",
  "member.removed",
  "passkeys.optional",
  "passkeys.required",
  "passkey.added",
  "passkey.removed",
  "webhook_endpoint.saved",
  "webhook_endpoint.secret_rolled",
  "webhook_endpoint.removed",
  "api_key.created",
  "api_key.changed",
  "api_key.rotated",
  "api_key.revoked"
])
export type AccessChange = typeof AccessChange.Type

/** The member whom the change is about hears of it, too: the change is theirs, and they may be nobody's owner. */
export const tellsItsMember: ReadonlySet<AccessChange> = new Set(["member.changed", "passkey.added", "passkey.removed"])
