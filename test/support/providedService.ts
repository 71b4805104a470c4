/** A service with a company whose finance panel and identity provider are fakes that sign their callbacks. */
import type { TestCompany } from "./companies.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "./fakeIdentityProvider.ts"
import { startFakePanel, type FakePanel } from "./fakePanel.ts"
import { becomes, makeProvidedCompany, requestIdOf, settled, startLive } from "./providerRequests.ts"
import { startService, type Service } from "./service.ts"

export interface Provided {
  readonly service: Service
  readonly panel: FakePanel
  readonly identity: FakeIdentityProvider
  readonly company: TestCompany
  /** A journey whose application the panel has taken, with the panel's reference of it. */
  readonly submitted: () => Promise<{ readonly journeyId: string; readonly submissionId: string }>
  readonly stop: () => Promise<void>
}

export const startProvidedService = async (): Promise<Provided> => {
  const panel = await startFakePanel()
  const identity = await startFakeIdentityProvider()
  const service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", BASE_URL: "https://journeys.example" })
  const company = await makeProvidedCompany(service, panel, identity)
  return {
    service,
    panel,
    identity,
    company,
    submitted: async () => {
      const journeyId = await startLive(service, company, "FINANCE_SUBMIT_VIA_MIRA")
      const submissionId = await requestIdOf(service, journeyId, "FINANCE")
      await becomes(service, company, journeyId, ({ identity: { status } }) => status === "REQUESTED")
      await settled(service, journeyId)
      return { journeyId, submissionId }
    },
    stop: async () => {
      await service.stop()
      await panel.stop()
      await identity.stop()
    }
  }
}
