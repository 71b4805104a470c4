/** A session of the console as the company's people see it: whose it is, in which browser, and since when. It shows no secret. */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { ConsoleSessionId, MemberId } from "../ids.ts"
import { fixedField, idField, ModelClass, named } from "../model.ts"
import { momentField } from "../moment.ts"

export class MemberSession extends ModelClass<MemberSession>("MemberSession")({
  id: idField(ConsoleSessionId, { example: exampleId("consoleSession", 1) }),
  memberId: idField(MemberId, { example: exampleId("member", 1) }),
  email: fixedField(Schema.String, { example: "ann@harbourcars.example" }),
  browser: fixedField(
    Schema.NullOr(Schema.String).annotate({ description: "Browser and system, as far as the browser said" }),
    { example: "Firefox on Windows" }
  ),
  waitsForPasskey: fixedField(
    Schema.Boolean.annotate({
      description: "The mailed link was used and the passkey not yet: the session permits nothing"
    }),
    { example: false }
  ),
  openedAt: momentField("2026-01-15T08:02:11.090Z"),
  seenAt: momentField("2026-01-15T10:31:07.218Z")
}) {}

export const MemberSessionResource = named(MemberSession.resource, "MemberSession")
export type MemberSessionResource = typeof MemberSessionResource.Type

export const memberSessionResource: (session: MemberSession) => MemberSessionResource = Schema.encodeSync(
  MemberSession.shown
)
