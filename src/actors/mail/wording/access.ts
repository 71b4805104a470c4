/**
 * The words of mail to a company's owners about changes of API keys, members, webhook endpoints, passkeys and settings: who did what and when,
 * and what to do about a change that nobody of the company made. `schema/company/accessChanges.ts` lists which changes these are.
 */
import { Option, Schema } from "effect"
import type { AccessChange } from "../../../schema/company/accessChanges.ts"
import { Role } from "../../../schema/members/Role.ts"
import { Mode } from "../../../schema/Mode.ts"
import { mailedMoment } from "../../../schema/teamTime.ts"
import type { AccessLine } from "../../company/AuditLog.ts"
import { addressForCompany, formerMember, memberOfActor } from "../../members/memberActor.ts"
import { consoleButton, consolePages } from "./consoleLink.ts"
import { andSettings, protectionLowered, recipientsChanged, settingsOfLine } from "./companyAccess.ts"
import { counted, oneLine, type Email } from "./Email.ts"
import { unlinked } from "./unlinked.ts"
import { MemberId } from "../../../schema/ids.ts"

/** `more`: changes of the same minutes that the mail does not list. `emails`: the addresses of those who are members now, by their ids. */
export interface AccessContext {
  readonly company: { readonly name: string }
  readonly lines: ReadonlyArray<AccessLine>
  readonly more: number
  readonly emails: ReadonlyMap<string, string>
  readonly baseUrl: string | null
}

export const accessEmail = ({ baseUrl, company, emails, lines, more }: AccessContext): Email => {
  const name = unlinked(company.name)
  const [first] = lines
  const subject =
    lines.length === 1 && more === 0 && first !== undefined
      ? subjectOf[first.action](name)
      : `${counted(lines.length + more, "change")} of access or settings at ${name}`
  return {
    subject,
    paragraphs: [
      `This was changed at ${name}, and every owner hears of it:`,
      ...lines.map(
        (line) => `${mailedMoment(line.at)}: ${whoOf(line.actor, emails)} ${wordsOf(line, emails)}${placeOf(line)}.`
      ),
      ...(more === 0 ? [] : [`And ${counted(more, "other change")}, which the audit log lists.`]),
      "If you know of this, there is nothing to do.",
      "If nobody of yours did this: sign in, revoke the keys and remove the members, webhooks and passkeys that you do not know, set the company's providers, its administrator's address and how long it keeps data right, end the sessions of whoever did it under Team, and tell the operator of this service. The audit log shows what else was done.",
      ...(baseUrl === null ? [] : [consoleButton(baseUrl, "Open the audit log", consolePages.audit)])
    ]
  }
}

const subjectOf: Readonly<Record<AccessChange, (name: string) => string>> = {
  "api_key.created": (name) => `A new API key of ${name}`,
  "api_key.changed": (name) => `An API key of ${name} was changed`,
  "api_key.rotated": (name) => `An API key of ${name} has a new text`,
  "api_key.revoked": (name) => `An API key of ${name} was revoked`,
  "member.invited": (name) => `Somebody was invited to ${name}`,
  "member.changed": (name) => `A member of ${name} has another role`,
  "member.removed": (name) => `A member of ${name} was removed`,
  "webhook_endpoint.saved": (name) => `A webhook endpoint of ${name} was saved`,
  "webhook_endpoint.secret_rolled": (name) => `A webhook secret of ${name} was replaced`,
  "webhook_endpoint.removed": (name) => `A webhook endpoint of ${name} was removed`,
  "passkey.added": (name) => `A member of ${name} has a new passkey`,
  "passkey.removed": (name) => `A passkey of a member of ${name} was removed`,
  "passkeys.required": (name) => `Every member of ${name} needs a passkey now`,
  "passkeys.optional": (name) => `Members of ${name} need no passkey any more`,
  "company.recipients_changed": (name) => `What customers give to ${name} goes elsewhere`,
  "company.protection_lowered": (name) => `Customers of ${name} are protected less`
}

/** What the words take from a line. Lines of earlier versions of the service have less. */
const Details = Schema.Struct({
  mode: Schema.optionalKey(Mode),
  last4: Schema.optionalKey(Schema.String),
  memberId: Schema.optionalKey(MemberId),
  role: Schema.optionalKey(Role),
  url: Schema.optionalKey(Schema.String),
  enabled: Schema.optionalKey(Schema.Boolean),
  newSecret: Schema.optionalKey(Schema.Boolean),
  ...settingsOfLine
})
type Details = typeof Details.Type
const detailsOf = Schema.decodeUnknownOption(Details)

const wordsOf = ({ action, details }: AccessLine, emails: AccessContext["emails"]): string => {
  const known = Option.getOrElse(detailsOf(details), (): Details => ({}))
  return words[action](known, memberNamed(known.memberId, emails))
}

const words: Readonly<Record<AccessChange, (details: Details, member: string) => string>> = {
  "api_key.created": (key) => `made ${keyOf(key)}`,
  "api_key.changed": ({ fields = [], ...key }) =>
    `changed ${fields.length === 0 ? "something" : fields.join(", ")} of ${keyOf(key)}`,
  "api_key.rotated": (key) => `gave a new text to ${keyOf(key)} now; the old text is refused`,
  "api_key.revoked": (key) => `revoked ${keyOf(key)}`,
  "member.invited": ({ role }, member) => `invited ${member}${asRole(role)}`,
  "member.changed": ({ role }, member) => `gave ${member} another role${asRole(role)}`,
  "member.removed": ({ role }) => `removed a member who was there${asRole(role)}`,
  "webhook_endpoint.saved": ({ enabled, newSecret, url, ...endpoint }) =>
    `saved ${endpointOf(endpoint)}${url === undefined ? "" : ` with the address ${url}`}${newSecret === true ? " and a new signing secret" : ""}${enabled === false ? ", switched off" : ""}`,
  "webhook_endpoint.secret_rolled": (endpoint) => `replaced the signing secret of ${endpointOf(endpoint)}`,
  "webhook_endpoint.removed": (endpoint) => `removed ${endpointOf(endpoint)}`,
  "passkey.added": (_, member) => `added a passkey with which ${member} can sign in`,
  "passkey.removed": (_, member) => `removed a passkey of ${member}`,
  "passkeys.required": (change) => `demanded a passkey of every member${andSettings(change)}`,
  "passkeys.optional": (change) => `ended the demand that every member has a passkey${andSettings(change)}`,
  "company.recipients_changed": recipientsChanged,
  "company.protection_lowered": protectionLowered
}

/** From where it was asked: an address that nobody of the company knows tells that it was somebody else. */
const placeOf = (line: AccessLine): string => {
  const address = addressForCompany(line)
  return address === null ? "" : ` (from ${address})`
}

const keyOf = ({ last4, mode }: Pick<Details, "mode" | "last4">): string =>
  mode === undefined || last4 === undefined ? "an API key" : `the ${mode.toLowerCase()} API key that ends in ${last4}`

const endpointOf = ({ mode }: Pick<Details, "mode">): string =>
  mode === undefined ? "a webhook endpoint" : `the ${mode.toLowerCase()} webhook endpoint`

const asRole = (role: Role | undefined): string => {
  if (role === undefined) return ""
  return role === "OWNER" ? " as an owner" : " as a member of the team"
}

const memberNamed = (memberId: MemberId | undefined, emails: AccessContext["emails"]): string =>
  (memberId === undefined ? undefined : emails.get(memberId)) ?? formerMember

/** Who did something, by the actor of a line of the audit log. */
export const whoOf = (actor: string, emails: AccessContext["emails"]): string => {
  const memberId = memberOfActor(actor)
  if (memberId !== null) return memberNamed(memberId, emails)
  const [kind, ...name] = actor.split(":")
  if (kind !== "operator") return oneLine(actor)
  return name.length === 0
    ? "the operator of this service"
    : `the operator of this service (${oneLine(name.join(":"))})`
}
