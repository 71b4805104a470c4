/** Live journeys of a broker that has named a dealer, as tests of the dealer's view need them. Not a test itself. */
import { ask, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { sayAsCustomer } from "../../../support/consents.ts"
import { eventually } from "../../../support/eventually.ts"
import type { Service } from "../../../support/service.ts"

const settings = { identityProvider: { kind: "BUILT_IN" } }

export const makeBroker = (service: Service, name = "Broad Brokers"): Promise<TestCompany> =>
  makeCompany(service, { kind: "BROKER", name, credits: 50, settings })

export const deliveryOf = async (service: Service, broker: TestCompany, id: string) =>
  (await ask(service, broker.liveKey, `/api/v1/journeys/${id}`)).data.delivery

/** A started journey whose handover does not exist yet. */
export const namedStart = async (
  service: Service,
  broker: TestCompany,
  dealerCompanyId: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- tests change any member of a start
  change: (body: any) => void = () => {}
): Promise<{ readonly id: string; readonly customerReference: string }> => {
  const body = startBody("IDENTITY_DELIVERY")
  body.vehicle.dealerCompanyId = dealerCompanyId
  change(body)
  const started = await start(service, broker.liveKey, body)
  if (started.status !== 202) throw new Error(`the start was refused: ${started.message}`)
  return started.data
}

/** The customer is verified, and the handover exists. */
export const verify = async (service: Service, broker: TestCompany, id: string): Promise<void> => {
  await sayAsCustomer(service, id, { _tag: "IdentityVerified", assurance: "PROVIDER" })
  await eventually(
    () => deliveryOf(service, broker, id),
    (delivery) => delivery !== null
  )
}

export const namedHandover = async (...given: Parameters<typeof namedStart>) => {
  const [service, broker] = given
  const started = await namedStart(...given)
  await verify(service, broker, started.id)
  return started
}
