/** An encryption key that the nodes were given and that none has sealed with: whether it is the one to come, or one that nothing needs. */
import { expect, it } from "vitest"
import { masterKeyId } from "../../../src/runtime/keys/MasterKeys.ts"
import { askSettings } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, startService } from "../../support/service.ts"

const [oldKey, newKey, passedOver] = [7, 9, 11].map((byte) => Buffer.alloc(32, byte))
const text = (key: Buffer | undefined) => (key ?? Buffer.alloc(0)).toString("base64")
const idOf = (key: Buffer | undefined) => masterKeyId(key ?? Buffer.alloc(0))

interface Key {
  readonly id: string
  readonly values: number
  readonly mayBeRetired: boolean
  readonly hasSealed: boolean
}

it("may be retired once another key has taken the place that it was given for, and not when it is given anew", async () => {
  const DATABASE_URL = await freshDatabase()
  /** What a node with these keys says of the one that none has sealed with, when nothing stands under the old key any more. */
  const said = async (sealing: Buffer | undefined, ...retired: ReadonlyArray<Buffer | undefined>) => {
    const keys = { ENCRYPTION_KEY: text(sealing), ENCRYPTION_KEYS_RETIRED: retired.map(text).join(",") }
    const service = await startService({ DATABASE_URL, ...keys })
    const found = async (): Promise<ReadonlyArray<Key>> => (await askSettings(service, "/encryption")).data.keys
    const status = await eventually(found, (all) => all.every(({ id, values }) => id === idOf(sealing) || values === 0))
    await service.stop()
    return status.find(({ id }) => id === idOf(passedOver))
  }
  const unused = { id: idOf(passedOver), use: "OPENS", values: 0, hasSealed: false }
  // The first round of a change, in which a node may start more than once.
  for (const _ of [1, 2]) expect(await said(oldKey, passedOver)).toEqual({ ...unused, mayBeRetired: false })
  expect(await said(newKey, oldKey, passedOver)).toEqual({ ...unused, mayBeRetired: true })
  // A node that has it still says so after its next start.
  expect(await said(newKey, passedOver)).toEqual({ ...unused, mayBeRetired: true })
  expect(await said(newKey)).toBeUndefined()
  expect(await said(newKey, passedOver)).toEqual({ ...unused, mayBeRetired: false })
})
