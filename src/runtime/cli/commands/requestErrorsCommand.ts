/** `journeys request-errors`: the refusals of a company's requests by code, which `journeys requests --code` then lists. */
import { Duration, Effect } from "effect"
import { Command } from "effect/cli"
import { requestLogLimits } from "../../../schema/company/limits.ts"
import { companyArgument } from "../frame/parameters.ts"
import { printWithList } from "../frame/printing.ts"
import { requestModeFlag } from "./requestCommand.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

export const requestErrorsCommand = Command.make(
  "request-errors",
  { company: companyArgument, mode: requestModeFlag },
  Effect.fn("request-errors")(function* ({ company, mode }) {
    const client = yield* SettingsClient
    const found = yield* client.call("countRequestErrors", { params: { companyId: company }, query: { mode } })
    yield* printWithList({ thing: found, list: { name: "errors", entries: found.errors } }, [
      ["CODE", (one) => one.code],
      ["COUNT", (one) => one.count],
      ["LAST", (one) => one.lastAt],
      ["KEY ID", (one) => one.lastKeyId]
    ])
  })
).pipe(
  Command.withDescription(
    `Count the refusals of a company's requests with keys of one mode in the last ${Duration.toDays(requestLogLimits.countedFor)} days, by code`
  )
)
