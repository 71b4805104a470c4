/**
 * A node that was forgotten when the encryption key changed: it goes on sealing with the old key after others have forgotten that
 * key. What it has sealed must not be lost: no later start passes over that key.
 */
import { expect, it } from "vitest"
import { masterKeyId } from "../../../src/runtime/keys/MasterKeys.ts"
import { agedKeys } from "./agedKeys.ts"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, startService } from "../../support/service.ts"

const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
const oldId = masterKeyId(oldKey)
const texts = { old: oldKey.toString("base64"), new: newKey.toString("base64") }

it("the key with which a forgotten node seals is known again, and no node starts without it", async () => {
  const DATABASE_URL = await freshDatabase()
  const keys = () =>
    queryDirectly<{ id: string }>(DATABASE_URL, "select id from encryption_keys order by sealing_since desc")
  const late = await startService({ DATABASE_URL, ENCRYPTION_KEY: texts.old, ENCRYPTION_KEYS_RETIRED: texts.new })
  const company = await makeCompany(late, { credits: 5, settings: { identityProvider: { kind: "BUILT_IN" } } })
  const both = await startService({ DATABASE_URL, ENCRYPTION_KEY: texts.new, ENCRYPTION_KEYS_RETIRED: texts.old })
  const underOld = "select from customers where encode(substring(wrapped_key from 2 for 8), 'hex') = $1"
  await eventually(
    async () => (await askSettings(both, "/encryption")).data.keys,
    (held: ReadonlyArray<{ readonly id: string; readonly values: number }>) =>
      held.some(({ id, values }) => id === oldId && values === 0)
  )
  await (await startService({ DATABASE_URL, ENCRYPTION_KEY: texts.new })).stop()
  await both.stop()

  // The old key is known again, and is not taken for the newest.
  const known = await eventually(keys, (rows) => rows.length === 2)
  expect(known.map(({ id }) => id)).toEqual([masterKeyId(newKey), oldId])
  expect((await start(late, company.liveKey, startBody("IDENTITY_DELIVERY"), "late-node-start")).status).toBe(202)
  expect(await queryDirectly(DATABASE_URL, underOld, [oldId])).toHaveLength(1)
  await late.stop()
  await expect(startService({ DATABASE_URL, ENCRYPTION_KEY: texts.new })).rejects.toThrow(
    `values under the encryption key ${oldId}`
  )
}, 120_000)

it("a key may be retired when the last node that seals with it has gone, also where that node has nothing to seal", async () => {
  const DATABASE_URL = await freshDatabase()
  const idle = await startService({ DATABASE_URL, ENCRYPTION_KEY: texts.old, ENCRYPTION_KEYS_RETIRED: texts.new })
  const changed = await startService({ DATABASE_URL, ENCRYPTION_KEY: texts.new, ENCRYPTION_KEYS_RETIRED: texts.old })
  const ofOld = async () => {
    const { data } = await askSettings(changed, "/encryption")
    return data.keys.find(({ id }: { readonly id: string }) => id === oldId)
  }
  const isSaidAnew = () =>
    changed.query<{ is: boolean }>(
      "select said_at > now() - interval '20 seconds' as is from encryption_keys where id = $1",
      [oldId]
    )
  await eventually(ofOld, ({ values }) => values === 0)
  await agedKeys(changed)
  await eventually(isSaidAnew, ([row]) => row?.is === true)
  expect(await ofOld()).toMatchObject({ values: 0, mayBeRetired: false })
  await idle.stop()
  expect(await ofOld()).toMatchObject({ values: 0, mayBeRetired: false })
  await agedKeys(changed)
  expect(await ofOld()).toMatchObject({ values: 0, mayBeRetired: true })
  await changed.stop()
}, 120_000)
