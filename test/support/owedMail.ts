/** Writes mail into the table as the service does when it owes a mail, and shows what became of it. */
import type { EndpointMail } from "../../src/schema/mail/mailKinds.ts"
import { queryDirectly } from "./directly.ts"

export const failing: EndpointMail = {
  kind: "ENDPOINT_FAILING",
  facts: {
    endpointId: "019bc0a1-7c00-7005-8000-000000000001",
    mode: "LIVE",
    url: "https://hooks.example.com",
    failingSince: "2026-01-12T10:31:07.218Z",
    hours: 1
  }
}

interface Owing {
  readonly companyId: string
  readonly causes: ReadonlyArray<string>
  readonly mail?: { readonly kind: string; readonly facts: unknown }
  readonly journeyId?: string
  readonly livemode?: boolean
}

/**
 * One statement, the service's own. All mails are due at once. Gives the ids of the mails whose cause had no mail yet.
 */
export const owe = async (
  databaseUrl: string,
  { causes, companyId, journeyId, livemode = true, mail = failing }: Owing
): Promise<ReadonlyArray<string>> => {
  const rows = await queryDirectly<{ readonly id: string }>(
    databaseUrl,
    `insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at, livemode)
     select gen_random_uuid(), cause, $2::text, $3::uuid, $4::uuid, $5::text::json, clock_timestamp(), clock_timestamp(), $6::bool
     from json_array_elements_text($1::text::json) cause
     on conflict (cause) do nothing returning id`,
    [JSON.stringify(causes), mail.kind, companyId, journeyId ?? null, JSON.stringify(mail.facts), livemode]
  )
  return rows.map(({ id }) => id)
}

export interface MailState {
  readonly tries: number
  readonly due: boolean
  readonly sent: boolean
  readonly givenUp: boolean
  readonly struckOff: boolean
  /** Seconds until the mail is due. */
  readonly dueIn: number | null
}

export const stateOf = async (databaseUrl: string, cause: string): Promise<MailState | undefined> => {
  const [row] = await queryDirectly<MailState>(
    databaseUrl,
    `select tries, due_at is not null as due, sent_at is not null as sent, given_up_at is not null as "givenUp",
       struck_off_at is not null as "struckOff",
       extract(epoch from due_at - clock_timestamp())::float8 as "dueIn"
     from mails where cause = $1`,
    [cause]
  )
  return row
}

/** Ends the waiting of a mail now. */
export const dueNow = (databaseUrl: string, cause: string): Promise<unknown> =>
  queryDirectly(databaseUrl, "update mails set due_at = clock_timestamp() where cause = $1 and due_at is not null", [
    cause
  ])

/** The longest wait after the first try, in seconds; a mail that a node has taken is due again only after the taking ends. */
const firstRetrySeconds = 31

/**
 * Whether the failure of the first try is recorded. The number of tries alone does not say so: taking a mail counts the try
 * before the mail server answers.
 */
export const isTriedAgainLater = (state: MailState | undefined): boolean =>
  state?.tries === 1 && state.dueIn !== null && state.dueIn < firstRetrySeconds
