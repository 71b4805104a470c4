/**
 * What the statements about companies' mail to others share: how much a company may send, since when it is counted, which mail counts,
 * and how a count is added. The rules are decision M9's, their numbers stand in `actors/mail/limits.ts`.
 */
import { Duration } from "effect"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { customerMailKinds } from "../../../schema/mail/mailKinds.ts"

export const interval = (duration: Duration.Duration) => `interval '${Duration.toMillis(duration)} milliseconds'`

export const standingSince = (now: string) => `${now} - ${interval(mailLimits.standingOver)}`

/** The mails of a day of a company: as its standing has it, else as its age has it; null: any number. */
export const perDay = (standing: string, company: string, now: string): string =>
  `coalesce(${standing}.per_day, case ${mailLimits.mostOfNewCompany
    .map(({ mails, youngerThan }) => `when ${company}.created_at > ${now} - ${interval(youngerThan)} then ${mails}`)
    .join(" ")} end)`

export const customerKinds = customerMailKinds.map((kind) => `'${kind}'`).join(", ")

/** Holds for the mail `m` of the journey `j` to somebody outside the company. */
export const isToOthers = (m: string, j: string): string =>
  `(${m}.kind = 'INVITATION' or (${m}.kind in (${customerKinds}) and ${j}.livemode))`

/** Adds the lines of `counted` (company_id, at) to the counts of their hours. In one order, so that nodes do not wait for each other in a circle. */
export const countMails = (what: "sent" | "refused" | "reported", counted: string): string => `
insert into mail_hours as h (company_id, hour, ${what})
select company_id, date_trunc('hour', at, 'UTC'), count(*) from (${counted}) c group by 1, 2 order by 1, 2
on conflict (company_id, hour) do update set ${what} = h.${what} + excluded.${what}`
