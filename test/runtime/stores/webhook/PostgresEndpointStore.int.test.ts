/** Changes of a webhook endpoint by somebody who has read it before somebody else changed it: they change nothing. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EndpointStore } from "../../../../src/actors/webhook/actor/EndpointStore.ts"
import type { Endpoint } from "../../../../src/actors/webhook/rules/Endpoint.ts"
import type { AuditLine } from "../../../../src/schema/company/AuditEntry.ts"
import { CompanyId, EndpointId } from "../../../../src/schema/ids.ts"
import { makeCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const endpoints = <A, E>(use: (endpoints: EndpointStore["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(EndpointStore, use))

const lineOf = (action: AuditLine["action"]): AuditLine => ({
  actor: "Ann",
  action,
  details: {},
  ipAddress: null,
  at: Date.now()
})

const saved = (endpoint: Pick<Endpoint, "id" | "companyId">, revision: number | null, secret: Uint8Array | null) =>
  endpoints(({ save }) =>
    save(
      {
        id: endpoint.id,
        scope: { companyId: endpoint.companyId, livemode: false },
        url: "https://hooks.example/journeys",
        events: ["*"],
        enabled: true,
        sealedSecret: secret
      },
      revision,
      lineOf("webhook_endpoint.saved")
    )
  )
const rolled = (endpoint: Endpoint) =>
  endpoints(({ roll }) =>
    roll(endpoint, { sealedSecret: new Uint8Array([2]), previousSecrets: [] }, lineOf("webhook_endpoint.secret_rolled"))
  )
const removed = (endpoint: Endpoint) => endpoints(({ remove }) => remove(endpoint, lineOf("webhook_endpoint.removed")))

const newEndpoint = async (): Promise<Endpoint> => {
  const companyId = CompanyId.make((await makeCompany(service)).id)
  const endpoint = await saved({ id: EndpointId.make(randomUUID()), companyId }, null, new Uint8Array([1]))
  return endpoint ?? expect.fail("not saved")
}

const stored = async ({ companyId }: Endpoint) => {
  const endpoint = await endpoints(({ find }) => find({ companyId, livemode: false }))
  return endpoint ?? expect.fail("not there")
}

const changes = [
  // The same URL keeps the secret, and a removed endpoint has none to keep.
  ["saved", (read: Endpoint) => saved(read, read.revision, null)],
  ["rolled", rolled],
  ["removed", removed]
] as const

it.each(changes)("an endpoint that was read before it was removed is not %s", async (_, change) => {
  const read = await newEndpoint()
  expect(await removed(read)).not.toBeNull()
  const before = await stored(read)
  expect(await change(read)).toBeNull()
  expect(await stored(read)).toEqual(before)
})

it.each(changes)("an endpoint that was read before it was saved with another secret is not %s", async (_, change) => {
  const read = await newEndpoint()
  expect(await saved(read, read.revision, new Uint8Array([3]))).not.toBeNull()
  const before = await stored(read)
  expect(await change(read)).toBeNull()
  expect(await stored(read)).toEqual(before)
})

it("an endpoint that was read before its secret was rolled is not rolled from the secret of before", async () => {
  const read = await newEndpoint()
  expect(await rolled(read)).not.toBeNull()
  const before = await stored(read)
  expect(await rolled(read)).toBeNull()
  expect(await stored(read)).toEqual(before)
})
