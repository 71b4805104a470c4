/** What a node remembers of API keys, while keys are forgotten. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { Keyring } from "../../../../src/actors/company/Keyring.ts"
import type * as Limits from "../../../../src/actors/company/limits.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { makeCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

vi.mock("../../../../src/actors/company/limits.ts", async (original) => {
  const limits = await original<typeof Limits>()
  return { ...limits, keyringLimits: { ...limits.keyringLimits, mostRemembered: 2 } }
})

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const keyring = <A, E>(use: (keyring: Keyring["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(Keyring, use))

it("remembers no key that was looked up before all keys were forgotten", async () => {
  const { testKey, testKeyId } = await makeCompany(service)
  const rows = await holdRows(service.databaseUrl)
  await rows.take("lock table api_keys in access exclusive mode")
  const looked = keyring(({ find }) => find(testKey))
  await rows.awaited("from api_keys k")
  await keyring(({ forget }) => forget)
  await rows.take("commit")
  await rows.end()
  expect(await looked).toMatchObject({ keyId: testKeyId, isRevoked: false })
  // As another node does whose news is on its way: what this node remembers would still count.
  await service.query("update api_keys set revoked_at = now() where id = $1", [testKeyId])
  expect(await keyring(({ find }) => find(testKey))).toMatchObject({ isRevoked: true })
})

it("remembers no more keys than fit: with one more the memory begins anew", async () => {
  const companies = [await makeCompany(service), await makeCompany(service), await makeCompany(service)]
  const found = (at: number) => keyring(({ find }) => find(companies[at]?.testKey ?? ""))
  for (const at of [0, 1]) expect(await found(at)).toMatchObject({ isRevoked: false })
  // No news of this comes: a key that is remembered would still count.
  await service.query("update api_keys set revoked_at = now() where id = $1", [companies[0]?.testKeyId])
  expect(await found(2)).toMatchObject({ isRevoked: false })
  expect(await found(0)).toMatchObject({ isRevoked: true })
})
