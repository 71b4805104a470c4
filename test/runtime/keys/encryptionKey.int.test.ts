/** A start needs every key that something in its database stands under. */
import { expect, it } from "vitest"
import { masterKeyId } from "../../../src/runtime/keys/MasterKeys.ts"
import { ask, makeCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { freshDatabase, startService } from "../../support/service.ts"

const key = (byte: number): string => Buffer.alloc(32, byte).toString("base64")

it("starts again with the key it first started with, and refuses every other", async () => {
  const DATABASE_URL = await freshDatabase()
  const first = await startService({ DATABASE_URL, ENCRYPTION_KEY: key(1) })
  await first.stop()
  await expect(startService({ DATABASE_URL, ENCRYPTION_KEY: key(2) })).rejects.toThrow(
    `the database has values under the encryption key ${masterKeyId(Buffer.alloc(32, 1))}, and it is neither ENCRYPTION_KEY nor among ENCRYPTION_KEYS_RETIRED`
  )
  const again = await startService({ DATABASE_URL, ENCRYPTION_KEY: key(1) })
  await again.stop()
})

it("a database from before its indexes had keys of their own takes its API keys also when it starts with a new key", async () => {
  const DATABASE_URL = await freshDatabase()
  const first = await startService({ DATABASE_URL, ENCRYPTION_KEY: key(1) })
  const { testKey } = await makeCompany(first)
  await first.stop()
  await queryDirectly(DATABASE_URL, "delete from encryption_indexes")
  const changed = await startService({ DATABASE_URL, ENCRYPTION_KEY: key(2), ENCRYPTION_KEYS_RETIRED: key(1) })
  expect((await ask(changed, testKey, "/api/v1/journeys")).status).toBe(200)
  await changed.stop()
})
