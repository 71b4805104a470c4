/**
 * The built-in mailbox as the operator reads it. A service that sends its mail to an SMTP server has no mailbox, and the
 * list is then NOT_FOUND.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Mailbox } from "../../../actors/mail/Mailbox.ts"
import { contentOf } from "../../../actors/mail/wording/emailContent.ts"
import { endpointEmail } from "../../../actors/mail/wording/endpoint.ts"
import { CompanyResource } from "../../../schema/company/Company.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { CompanyId } from "../../../schema/ids.ts"
import { MailQuery, MailResource } from "../../../schema/mail/MailResource.ts"
import { exampleOf } from "../../../schema/model.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { described, pageAnswer } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDownLook } from "../frame/asTeam.ts"
import { pages } from "../frame/ofCompany.ts"

const company = exampleOf(CompanyResource)
const offSince = "2026-01-15T10:31:07.218Z"

const example: MailResource = {
  id: exampleId("mail", 1),
  kind: "ENDPOINT_OFF",
  companyId: company.id,
  journeyId: null,
  to: company.adminEmail,
  ...contentOf(
    endpointEmail(
      {
        kind: "ENDPOINT_OFF",
        facts: {
          endpointId: exampleId("endpoint", 1),
          mode: "LIVE",
          url: "https://hooks.harbourcars.example",
          failingSince: "2026-01-12T10:31:07.218Z",
          offSince
        }
      },
      company,
      "https://journeys.example"
    )
  ),
  createdAt: offSince
}

const listMail = HttpApiEndpoint.get("listMail", "/settings/v1/mail", {
  query: MailQuery,
  success: pages("MailPage", MailResource),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED", "NOT_FOUND")
}).annotateMerge(
  described({
    summary: "List mail",
    description:
      "The built-in mailbox, newest first: mail that was kept because no SMTP server is set. With SMTP_URL there is none. The audit log of each company whose mail is shown has the look as `mail.read`.",
    answer: pageAnswer("Mail", example)
  })
)

export const mailOperations = operatorResource([listMail], {
  listMail: (asked) =>
    Effect.gen(function* () {
      const { list } = yield* Mailbox
      if (list === null) {
        return yield* problem("NOT_FOUND", "mail", "There is no mailbox here: mail goes to the SMTP server of SMTP_URL")
      }
      const { journeyId = null, to = null, ...query } = yield* asked.query
      const page = pageAsked(query)
      const found = yield* list({ ...page, to, journeyId })
      for (const companyId of new Set(found.content.map((mail) => mail.companyId))) {
        yield* writeDownLook(CompanyId.make(companyId), "mail.read", journeyId === null ? {} : { journeyId })
      }
      return pageOf(page, found, (one) => one)
    })
})
