/**
 * A member of a company: somebody who signs in to the console with a link in their mail. What a role permits is said by each
 * operation of the settings API. The address is personal data: it is sealed where it is kept, and no line of the log has it.
 */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { CompanyId, MemberId } from "../ids.ts"
import { fixedField, idField, ModelClass, ModelField, named, withExample, withFlag } from "../model.ts"
import { MomentColumn, momentField, MomentJson } from "../moment.ts"
import { EmailAddress } from "../start/contact.ts"
import { Role } from "./Role.ts"

const role = withFlag(Role, "TEAM reads, reviews and does the team's steps; OWNER does everything of the company")

export class Member extends ModelClass<Member>("Member")({
  id: idField(MemberId, { example: exampleId("member", 1) }),
  companyId: ModelField({ row: CompanyId }),
  email: ModelField({
    row: Schema.String,
    shown: Schema.String,
    resource: withExample(Schema.String, "ann@harbourcars.example"),
    create: withExample(withFlag(EmailAddress, "Where the invitation goes"), "ann@harbourcars.example")
  }),
  role: ModelField({
    row: Role,
    shown: Role,
    resource: withExample(Role, "TEAM"),
    create: withExample(role, "TEAM"),
    patch: withExample(role, "OWNER")
  }),
  invitedAt: momentField("2026-01-05T09:00:00.000Z"),
  seenAt: ModelField({
    row: Schema.NullOr(MomentColumn),
    shown: Schema.NullOr(MomentJson),
    resource: withExample(
      Schema.NullOr(Schema.String).annotate({ description: "When the member last used the console; null: never" }),
      "2026-01-15T10:31:07.218Z"
    )
  }),
  notices: fixedField(
    Schema.Boolean.annotate({ description: "Whether the member gets mail to the team, such as a review that waits" }),
    { example: true }
  ),
  passkeys: fixedField(
    Schema.Int.annotate({
      description: "How many passkeys the member has. With one, a mailed link alone signs in nobody"
    }),
    { example: 1 }
  )
}) {}

export const MemberResource = named(Member.resource, "Member")
export type MemberResource = typeof MemberResource.Type

export const MemberBody = named(Member.create, "MemberStart")
export type MemberBody = typeof MemberBody.Type

export const MemberPatch = named(Member.patch, "MemberChange")
export type MemberPatch = typeof MemberPatch.Type

export const NoticesBody = Schema.Struct({
  notices: Schema.Boolean.annotate({ description: "Whether the member gets mail to the team" })
}).annotate({ identifier: "NoticesChange" })

export const memberResource: (member: Member) => MemberResource = Schema.encodeSync(Member.shown)
