/** `journeys requests`: what was asked with a company's API keys, and what came of it. */
import { Duration, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import { companyArgument, given, inAnyCase, piece } from "../frame/parameters.ts"
import { printPiece } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

export const requestModeFlag = Flag.ChoiceWithValue("mode", inAnyCase(["LIVE", "TEST"])).pipe(
  Flag.withDefault("TEST" as const),
  Flag.withDescription("Requests with live keys, or with test keys; left out, with test keys")
)

export const requestsCommand = Command.make(
  "requests",
  {
    company: companyArgument,
    ...queryFlags("listCompanyRequests"),
    mode: requestModeFlag,
    ...piece
  },
  Effect.fn("requests")(function* ({ company, mode, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), mode, size }
    const found = yield* client.call("listCompanyRequests", { params: { companyId: company }, query })
    yield* printPiece(found, [
      ["AT", (one) => one.at],
      ["ROUTE", (one) => one.route],
      ["STATUS", (one) => one.status],
      ["CODE", (one) => one.code],
      ["FIELDS", (one) => one.fields],
      ["MS", (one) => one.durationMillis],
      ["JOURNEY", (one) => one.journeyId],
      ["REPLAY", (one) => one.isReplay],
      ["REQUEST ID", (one) => one.requestId]
    ])
  })
).pipe(
  Command.withDescription(
    `List what was asked with a company's API keys in the last ${Duration.toDays(requestLogLimits.keptFor)} days, newest first`
  )
)
