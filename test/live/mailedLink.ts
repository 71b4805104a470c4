/** The link that a mail brought: the newest mail to a customer that asks for a step, in a language. */
import type { CustomerStep } from "../../src/schema/journey/steps.ts"
import type { Language } from "../../src/schema/words/locale/languages.ts"
import { wordsOf } from "../../src/schema/words/words.ts"
import { eventually } from "../support/eventually.ts"
import type { MailServer, ReceivedMail } from "../support/mailServer.ts"
import { plainTextOf, subjectOf } from "../support/mailWords.ts"

/** Milliseconds for what the service does by itself, on a machine that is busy with other tests. */
export const patienceMillis = 240_000

interface Ask {
  readonly step: CustomerStep
  readonly time: "first" | "again"
}

/** What mail asks of customers. */
export const asks = {
  identity: { step: "VERIFY_IDENTITY", time: "first" },
  identityAgain: { step: "VERIFY_IDENTITY", time: "again" },
  address: { step: "CONFIRM_ADDRESS", time: "first" },
  video: { step: "RECORD_VIDEO", time: "first" }
} as const satisfies Readonly<Record<string, Ask>>

export interface Wanted {
  readonly to: string
  readonly asking: keyof typeof asks
  readonly language: Language
}

const isWanted = (mail: ReceivedMail, { asking, language, to }: Wanted): boolean => {
  const { step, time } = asks[asking]
  const [before = "", after = ""] = wordsOf(language).steps[step].mail[time].subject({ registration: "|" }).split("|")
  const subject = subjectOf(mail)
  return (
    mail.to.includes(to) &&
    subject.startsWith(before) &&
    subject.endsWith(after) &&
    /^[A-Z0-9 ]+$/.test(subject.slice(before.length, subject.length - after.length))
  )
}

/** The path of the link. */
export const mailedLink = async ({ received }: MailServer, wanted: Wanted): Promise<string> => {
  const mails = await eventually(
    () => received.filter((mail) => isWanted(mail, wanted)),
    (found) => found.length > 0,
    patienceMillis
  )
  return /(\/app\/l\/[A-Za-z0-9_-]+)/.exec(mails.map(plainTextOf).at(-1) ?? "")?.[1] ?? ""
}
