/** Whether the mail server of an installation takes this service: connection, certificate and password. No mail is sent. */
import { Effect } from "effect"
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { tryMailServer } from "../smtp/SmtpMailer.ts"

export const mailAnswers = ({ smtpUrl }: GivenSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  smtpUrl === undefined
    ? Effect.succeed([])
    : Effect.match(tryMailServer(smtpUrl), {
        onFailure: ({ reason }) => [wrong("mail", `the mail server does not take us: ${reason}`, cureOf(reason))],
        onSuccess: () => [well("mail", "the mail server takes us")]
      })

/** By the code with which the reason begins. */
const cureOf = (reason: string): string =>
  reason.startsWith("EAUTH")
    ? "give SMTP_URL the user and the password that the mail server knows"
    : "see whether the mail server answers at the host and port of SMTP_URL, and shows a certificate that this machine trusts (NODE_EXTRA_CA_CERTS)"
