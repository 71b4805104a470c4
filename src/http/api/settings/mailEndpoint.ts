/** The built-in mailbox as the operator looks into it. Where mail leaves the service there is none, and nothing to see. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Mailbox, type MailboxQuery } from "../../../actors/mail/Mailbox.ts"
import { mailQueryLimits } from "../../../schema/mail/limits.ts"
import { uuid } from "../../../schema/parameters.ts"
import { pageData, readQuery } from "../../server/pageQuery.ts"
import { problem, success, type Problem } from "../../server/problems.ts"
import { operatorEndpoint } from "../../server/operator.ts"

const mailQuery = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<MailboxQuery, Problem> =>
  readQuery(request, ["to", "journeyId"], (given, wrong) => {
    const to = given.get("to")
    const journeyId = given.get("journeyId")?.toLowerCase() ?? null
    return {
      to:
        to === null || to.length <= mailQueryLimits.longestAddress
          ? to
          : wrong("to", `must have at most ${mailQueryLimits.longestAddress} characters`),
      journeyId: journeyId === null || uuid.test(journeyId) ? journeyId : wrong("journeyId", "must be a UUID")
    }
  })

export const listMailEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/mail")(function* (request) {
    const { list } = yield* Mailbox
    if (list === null) {
      return yield* problem("NOT_FOUND", "mail", "There is no mailbox here: mail goes to the SMTP server of SMTP_URL")
    }
    const query = yield* mailQuery(request)
    return success(
      200,
      pageData(query, yield* list(query), (mail) => mail),
      "Mail"
    )
  })
)
