/** What a node remembers of API keys, while keys are forgotten. */
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Keyring } from "../../../../src/actors/company/Keyring.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { makeCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

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
