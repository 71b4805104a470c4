/**
 * A service with something to see on every page of the console: a company with journeys, a review, keys, an endpoint with
 * deliveries, stock and credits, and what an operator looks at. Not a test itself.
 */
import { makeBroker, namedHandover } from "../http/api/settings/handoverGround.ts"
import { eventually } from "../support/eventually.ts"
import { askSettings, type Answer, type TestCompany } from "../support/companies.ts"
import { writeEndpoint } from "../support/endpoints.ts"
import { startReceiver } from "../support/receivers.ts"
import { startService, type Service } from "../support/service.ts"
import { freePort } from "../support/freePort.ts"
import { journeyAt, reviewOf, slowCompany } from "../http/api/settings/reviewGround.ts"
import { signInMember, signInOperator } from "../http/console/consoleGround.ts"

export interface ExampleGround {
  readonly service: Service
  readonly company: TestCompany
  /** The secrets of the sessions that look at the pages. */
  readonly sessions: { readonly owner: string; readonly operator: string }
  /** What stands for the parameters of paths. */
  readonly examples: Readonly<Record<string, string>>
  /** The same, for a path of its own. */
  readonly ofPath: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly stop: () => Promise<void>
}

const made = async (asked: Promise<Answer>) => {
  const answer = await asked
  if (!answer.success) throw new Error(`the example could not be made: ${answer.message}`)
  return answer.data
}

const put = (body: unknown) => ({ method: "PUT", body })

/** What the company has beside its journeys. */
const furnish = async (service: Service, company: TestCompany, url: string): Promise<void> => {
  const path = `/companies/${company.id}`
  await made(askSettings(service, `${path}/webhook-endpoints/test`, put({ url, events: ["*"] })))
  await made(askSettings(service, `${path}/vehicles/stock-4711`, put({ status: "IN_STOCK" })))
  await made(askSettings(service, `${path}/wallets/IDENTITY/credits`, { body: { amount: 100, note: "Invoice 2041" } }))
}

/** What only the operator sees: a journey that was set aside, and an endpoint that nothing reaches. */
const trouble = async (service: Service, company: TestCompany): Promise<void> => {
  const broken = await journeyAt(service, company, "CASH_SALE", null)
  await service.query("update journeys set set_aside_at = now(), set_aside_reason = 'UNREADABLE' where id = $1", [
    broken.id
  ])
  const endpoint = await writeEndpoint(service.query, {
    companyId: company.id,
    livemode: true,
    url: "https://hooks.harbourcars.example/journeys"
  })
  await service.query(
    "update webhook_endpoints set failing_since = now() - interval '5 hours', last_failed_at = now() where id = $1",
    [endpoint]
  )
}

/** A handover of a broker's journey that names the company. */
const handedOver = async (service: Service, dealer: TestCompany): Promise<string> =>
  (await namedHandover(service, await makeBroker(service, "Quay Finance"), dealer.id)).id

/** Parameters of paths that mean something else on other pages. */
const ofPath = (handoverId: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  "/console/handovers/:journeyId": { journeyId: handoverId },
  "/console/sign-in/:token": { token: "A".repeat(43) }
})

/** As long as a name may nearly be, without a place to break it. */
const longName = "Wolfeschlegelsteinhausenbergerdorff".repeat(3).slice(0, 90)

export const startExamples = async (): Promise<ExampleGround> => {
  const port = await freePort()
  const service = await startService({
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  const receiver = await startReceiver()
  const company = await slowCompany(service)
  await furnish(service, company, receiver.url)
  const { id: journeyId } = await journeyAt(service, company, "CASH_SALE", "identity.under_review", undefined, {
    firstName: longName
  })
  await journeyAt(service, company, "FINANCE_ALREADY_SUBMITTED", null)
  const reviewId = await reviewOf(service, company, journeyId)
  await trouble(service, company)
  const log = `/companies/${company.id}/webhook-endpoints/test`
  const { data } = await eventually(
    () => askSettings(service, `${log}/deliveries?status=DELIVERED`),
    (answer) => answer.data.content.length > 2
  )
  const resend = await made(askSettings(service, `${log}/resend`, { body: { since: data.content.at(-1).createdAt } }))
  const handoverId = await handedOver(service, company)
  return {
    service,
    company,
    sessions: {
      owner: (await signInMember(service, company.id, "OWNER")).cookies.get("journeys-console") ?? "",
      operator: (await signInOperator(service)).cookies.get("journeys-console") ?? ""
    },
    examples: {
      companyId: company.id,
      journeyId,
      reviewId,
      wallet: "IDENTITY",
      keyId: company.testKeyId,
      mode: "test",
      deliveryId: data.content[0].id,
      taskId: resend.id,
      vehicleId: "stock-4711"
    },
    ofPath: ofPath(handoverId),
    stop: async () => {
      await service.stop()
      await receiver.stop()
    }
  }
}
