/**
 * How a company's mail to customers stands, and what only the operator may do about it: start it again, stop it, allow more of it, and
 * record what came back to the sender's mailbox. The rules are decision M9's.
 */
import { Clock, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { MailStandings, type MailStanding } from "../../../actors/mail/allowances/MailStandings.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import {
  exampleStanding,
  MailReturn,
  MailStandingPatch,
  MailStandingResource
} from "../../../schema/mail/MailStanding.ts"
import { timestampOrNull } from "../../../schema/moment.ts"
import { MailIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { ofAnyBody, ofAnyCompany, ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { success } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { companyAsked, companyPath, notFound, ofCompany } from "../frame/ofCompany.ts"

const path = `${companyPath}/mail` as const

const StandingAnswer = answerOf("MailStandingAnswer", MailStandingResource)

const getMailStanding = HttpApiEndpoint.get("getMailStanding", path, {
  params: ofCompany,
  success: StandingAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get how mail to customers stands",
    allowedTo: "TEAM",
    description:
      "What left in the last day, what came back of it, how much may leave, and whether mail is stopped. Mail to customers of live journeys and invitations count. A new company may send few mails a day; what is over waits. When more than a tenth of at least 20 mails is refused, bounces or brings a complaint, mail stops until the operator starts it again.",
    answer: answer("How mail stands", "Mail to customers", exampleStanding)
  })
)

const changeMailStanding = HttpApiEndpoint.patch("changeMailStanding", path, {
  params: ofCompany,
  payload: MailStandingPatch,
  success: StandingAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Start or stop mail to customers, or allow more",
    description: "What waited leaves when mail is started. Mail to the company's own people always leaves.",
    request: jsonExample("Start it again", { stopped: false } satisfies MailStandingPatch),
    answer: answer("How mail stands now", "Mail to customers changed", exampleStanding)
  })
)

const recordReturnedMail = HttpApiEndpoint.post("recordReturnedMail", "/settings/v1/mail/:mailId/returned", {
  params: {
    mailId: MailIdParameter.annotate({ description: "The mail's id: its Message-ID up to the @", ...naming("mail") })
  },
  payload: MailReturn,
  success: StandingAnswer,
  error: refusedWith(ofAnyToken, ...ofAnyBody, "NOT_FOUND")
}).annotateMerge(
  described({
    summary: "Record a bounce or a complaint",
    description:
      "What came back to the mailbox of `MAIL_FROM` after a mail had left. It counts against the mail's company, once for each mail; a bounce also tells the team, as a refused mail does. The original's Message-ID, which bounces and complaints quote, begins with the mail's id.",
    request: jsonExample("The address does not exist", { as: "BOUNCE" } satisfies typeof MailReturn.Type),
    answer: answer("How mail of its company stands now", "Returned mail recorded", { ...exampleStanding, reported: 1 })
  })
)

const resourceOf = ({ stoppedAt, ...counts }: MailStanding): MailStandingResource => ({
  ...counts,
  stoppedAt: timestampOrNull(stoppedAt)
})

const standingOf = Effect.fnUntraced(function* (companyId: CompanyId) {
  const standings = yield* MailStandings
  return resourceOf(yield* standings.read(companyId, yield* Clock.currentTimeMillis))
})

export const mailStandingOperations = operatorResource([getMailStanding, changeMailStanding, recordReturnedMail], {
  getMailStanding: (asked) => Effect.flatMap(companyAsked(asked), ({ id }) => standingOf(id)),

  changeMailStanding: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const change = yield* asked.body
      if (Object.keys(change).length === 0) return success(200, yield* standingOf(id), "Nothing changed")
      const standings = yield* MailStandings
      const line = yield* auditLine("mail.changed", { ...change })
      yield* written(standings.change(id, change, line))
      return yield* standingOf(id)
    }),

  recordReturnedMail: (asked) =>
    Effect.gen(function* () {
      const mailId = yield* asked.path("mailId")
      const { as } = yield* asked.body
      const standings = yield* MailStandings
      const line = yield* auditLine("mail.returned", { mailId, as })
      const mail = yield* written(standings.returned(mailId, as, line))
      return yield* mail === null ? notFound("mail") : standingOf(mail.companyId)
    })
})
