/** Whether the mail server of an installation takes this service: connection, certificate and password. No mail is sent. */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { tryMailServer } from "../smtp/SmtpMailer.ts"

export const mailAnswers = ({ smtpUrl }: GivenSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  smtpUrl === undefined
    ? Effect.succeed([])
    : Effect.match(tryMailServer(smtpUrl), {
        onFailure: ({ reason }) => [
          wrong(
            "mail",
            `the mail server does not take us: ${reason}`,
            "check SMTP_URL, its password and its certificate"
          )
        ],
        onSuccess: () => [well("mail", "the mail server takes us")]
      })
