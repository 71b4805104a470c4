/** A service with one company, and what the tests of the app's pages do with both. Not a test itself. */
import { expect } from "vitest"
import { askJourney } from "../../../src/actors/journey/actor/askJourney.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink } from "./CustomerBrowser.ts"

export interface PagesGround {
  readonly service: Service
  readonly company: TestCompany
}

export const startPages = async (
  environment: Readonly<Record<string, string>> = {},
  name = `Harbour <b>Cars</b> & "Sons"`
): Promise<PagesGround> => {
  const service = await startService(environment)
  const company = await makeCompany(service, {
    name,
    credits: 100,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
  return { service, company }
}

type Change = (body: ReturnType<typeof startBody>) => void

export const startCashSale = async (
  { company, service }: PagesGround,
  change: Change = () => {},
  key = company.liveKey
): Promise<string> => {
  const body = startBody("CASH_SALE")
  change(body)
  const answer = await start(service, key, body)
  expect(answer.status).toBe(202)
  return answer.data.id
}

export const startFinanceSale = async (
  { company, service }: PagesGround,
  type: "HOME_DELIVERY" | "IN_STORE"
): Promise<string> => {
  const body = startBody("FINANCE_SALE")
  body.delivery.type = type
  const answer = await startWithPhoto(service, company.liveKey, body)
  expect(answer.status).toBe(202)
  return answer.data.id
}

/** A financed home delivery whose customer is verified, with these addresses in the application. */
export const startVerified = async (ground: PagesGround, history: ReadonlyArray<object>): Promise<string> => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  body.finance.decision = "APPROVED"
  body.finance.addressHistory = history
  const { data } = await start(ground.service, ground.company.liveKey, body)
  await ground.service.run(
    askJourney({
      journeyId: JourneyId.make(data.id),
      messageId: crypto.randomUUID(),
      sender: "identity",
      scope: null,
      message: { _tag: "IdentityVerified", check: 1 }
    })
  )
  await eventually(
    () => journeyOf(ground, data.id),
    (journey) => journey.delivery?.status === "AWAITING_LOCATION"
  )
  return data.id
}

export const signedIn = async (
  { service }: PagesGround,
  journeyId: string,
  step: CustomerStep
): Promise<CustomerBrowser> => {
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(await newLink(service, journeyId, step))).status).toBe(303)
  return customer
}

export const journeyOf = async ({ company, service }: PagesGround, id: string, key = company.liveKey) =>
  (await ask(service, key, `/api/v1/journeys/${id}`)).data
