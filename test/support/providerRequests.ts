/** Live journeys that wait for an outside provider, and the ids under which the provider knows them. */
import { randomUUID } from "node:crypto"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import { requestIdsOf } from "../../src/actors/effects/requestIds.ts"
import type { Journey } from "../../src/actors/journey/rules/state/Journey.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "./companies.ts"
import { masterKey } from "./endpoints.ts"
import { eventually } from "./eventually.ts"
import type { FakeIdentityProvider } from "./fakeIdentityProvider.ts"
import type { FakePanel } from "./fakePanel.ts"
import type { Service } from "./service.ts"
import { JourneyId } from "../../src/schema/ids.ts"

const vault = AesVault.make(masterKey)

/** A company with credit whose providers are these fakes. */
export const makeProvidedCompany = (
  service: { readonly baseUrl: string },
  panel: FakePanel,
  identity: FakeIdentityProvider
): Promise<TestCompany> =>
  makeCompany(service, {
    credits: 1000,
    settings: { financePanel: panel.settings, identityProvider: identity.settings }
  })

/** A live journey of a new customer. */
export const startLive = async (service: Service, company: TestCompany, shape: Shape): Promise<string> => {
  const body = startBody(shape)
  body.customer.email = `${randomUUID()}@example.com`
  const answer = await start(service, company.liveKey, body)
  if (answer.status !== 202) throw new Error(`not started: ${answer.status} ${answer.message}`)
  return answer.data.id
}

export const read = async (service: Service, company: TestCompany, journeyId: string) =>
  (await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`)).data

/** The state that the journey's row has. */
export const storedState = async (service: Service, journeyId: string): Promise<Journey> => {
  const [row] = await service.query<{ readonly state: Journey }>("select state from journeys where id = $1", [
    journeyId
  ])
  if (row === undefined) throw new Error(`no journey ${journeyId}`)
  return row.state
}

/** Waits until the state of the journey is so, and gives it. */
export const becomes = (
  service: Service,
  company: TestCompany,
  journeyId: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any journey
  isSo: (journey: any) => boolean
) => eventually(() => read(service, company, journeyId), isSo)

/** The id that the provider gets: it follows from the journey and its first pending effect of this kind. */
export const requestIdOf = async (
  service: Service,
  journeyId: string,
  kind: "FINANCE" | "IDENTITY"
): Promise<string> => {
  const asked = await eventually(
    () =>
      service.query<{ readonly id: string }>(
        "select id from provider_requests where journey_id = $1 and kind = $2 order by created_at desc limit 1",
        [journeyId, kind]
      ),
    (rows) => rows.length > 0
  )
  return asked[0]?.id ?? ""
}

/** Waits until the service has carried out the pending effect by itself. */
export const settled = async (service: Service, journeyId: string): Promise<void> => {
  await eventually(
    () =>
      service.query<{ readonly owed: ReadonlyArray<{ readonly kind: string }> }>(
        "select state -> 'owed' as owed from journeys where id = $1",
        [journeyId]
      ),
    ([row]) => row?.owed.every(({ kind }) => kind === "MAIL") === true
  )
}

const askingEffect = { FINANCE: "SUBMIT_APPLICATION", IDENTITY: "START_IDENTITY_CHECK" } as const

export const derivedRequestIds = (journeyId: string, kind: "FINANCE" | "IDENTITY", serial: number) =>
  requestIdsOf(vault, askingEffect[kind], JourneyId.make(journeyId), serial)

export const eventTypes = async (service: Service, journeyId: string): Promise<ReadonlyArray<string>> =>
  (
    await service.query<{ readonly type: string }>(
      "select type from events where journey_id = $1 and sequence > 0 order by sequence",
      [journeyId]
    )
  ).map(({ type }) => type)

/** Everything about a journey that a callback could change. */
export const traceOf = async (service: Service, journeyId: string) => {
  const [row] = await service.query<{ readonly version: number; readonly state: unknown }>(
    "select version, state from journeys where id = $1",
    [journeyId]
  )
  const journal = await service.query<{ readonly count: number }>(
    "select count(*)::int as count from journal where journey_id = $1",
    [journeyId]
  )
  return { row, journal, events: await eventTypes(service, journeyId) }
}
