/** What tests of the webhook settings stand on: a service, and for each test a company and a real receiver. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import { verifySignature } from "../../../../src/actors/webhook/verifier.js"
import {
  askSettings,
  makeCompany,
  start,
  startBody,
  type Answer,
  type TestCompany
} from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"

export interface Ground {
  service: Service
  receiver: Receiver
  company: TestCompany
}

/** Filled before each test; nothing in it may be taken out earlier. */
export const webhookGround = (): Ground => {
  const ground = {} as Ground
  beforeAll(async () => {
    ground.service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
  })
  afterAll(() => ground.service.stop())
  beforeEach(async () => {
    ground.company = await makeCompany(ground.service, { settings: { sandbox: { pace: "manual" } } })
    ground.receiver = await startReceiver()
  })
  afterEach(() => ground.receiver.stop())
  return ground
}

type Mode = "live" | "test"

export const endpointPathOf = (companyId: string, mode: string) => `/companies/${companyId}/webhook-endpoints/${mode}`

/** One request about an endpoint of the ground's company. */
export const aboutEndpoint =
  (ground: Ground) =>
  (rest = "", given: Parameters<typeof askSettings>[2] = {}, mode: Mode = "test"): Promise<Answer> =>
    askSettings(ground.service, `${endpointPathOf(ground.company.id, mode)}${rest}`, given)

export const codesOf = (answer: Answer) => answer.errors?.map(({ code, field }) => [field, code])

interface AuditEntry {
  readonly action: string
  readonly details: object
}

/** Newest first. */
export const auditOf = async ({ company, service }: Ground): Promise<ReadonlyArray<AuditEntry>> =>
  (await askSettings(service, `/companies/${company.id}/audit`)).data.content

/** Whether the last delivery that arrived was signed with each of these secrets. */
export const signedWith = ({ receiver }: Ground, ...secrets: ReadonlyArray<string>): ReadonlyArray<boolean> => {
  const last = receiver.received.at(-1)
  if (last === undefined) throw new Error("nothing has arrived")
  return secrets.map((secret) => {
    try {
      verifySignature({ body: last.body, secret, signature: String(last.headers["service-signature"]) })
      return true
    } catch {
      return false
    }
  })
}

export interface EventRow {
  readonly id: string
  readonly type: string
}

/** Starts a journey; its events, oldest first. */
export const startedEvents = async ({ company, service }: Ground): Promise<ReadonlyArray<EventRow>> => {
  const { data } = await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
  return service.query<EventRow>("select id, type from events where journey_id = $1 order by sequence", [data.id])
}

export const allDelivered = (ground: Ground, count: number): Promise<Answer> =>
  eventually(
    () => aboutEndpoint(ground)("/deliveries?status=DELIVERED"),
    ({ data }) => data.content.length >= count
  )

/** Deliveries of yesterday, by SQL: `count` events of a type, parked. */
export const writeParked = ({ company, service }: Ground, endpointId: string, type: string, count: number) =>
  service.query(
    `with e as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select gen_random_uuid(), 1, gen_random_uuid(), $1::uuid, false, $2::text, '{}', now() - interval '1 day'
       from generate_series(1, $3::int4) returning id
     )
     insert into deliveries (endpoint_id, event_id, status) select $4::uuid, id, 'PARKED' from e`,
    [company.id, type, count, endpointId]
  )

export const setDelivery = ({ service }: Ground, id: string, status: string) =>
  service.query(
    `update deliveries set status = $2::text, tries = 5,
       due_at = case when $2::text = 'PENDING' then now() + interval '6 hours' end where event_id = $1`,
    [id, status]
  )

export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
