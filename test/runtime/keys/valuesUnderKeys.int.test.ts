/**
 * Values under a key that was replaced: none is overwritten that somebody has changed meanwhile, and no key is forgotten that
 * one of them still needs, be it a value of before there were ids.
 */
import { PgTypes } from "@effect/sql-pg"
import { expect, it } from "vitest"
import { memberPlace } from "../../../src/actors/members/memberPlace.ts"
import { replaceIn, sealedColumns } from "../../../src/runtime/keys/sealedColumns.ts"
import { masterKeyId, masterKeysOf } from "../../../src/runtime/keys/MasterKeys.ts"
import { makeCompany } from "../../support/companies.ts"
import { directly, queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember } from "../../support/members.ts"
import { freshDatabase, startService } from "../../support/service.ts"

const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
const [oldId, newId] = [masterKeyId(oldKey), masterKeyId(newKey)]

it("a key is not forgotten while a value without an id stands under it", async () => {
  const environment = { DATABASE_URL: await freshDatabase(), ENCRYPTION_KEY: newKey.toString("base64") }
  const before = await startService(environment)
  const member = await addMember(before, (await makeCompany(before)).id)
  const email = masterKeysOf(oldKey, [], oldId).seal(
    "service secrets",
    memberPlace(member),
    Buffer.from("ann@x.example")
  )
  await before.query("update members set sealed_email = $1 where id = $2", [PgTypes.bytea(email), member])
  await before.query(
    "insert into encryption_keys (id, is_nameless, sealing_since) values ($1, true, now() - interval '1 day')",
    [oldId]
  )
  await before.stop()
  await expect(startService(environment)).rejects.toThrow(oldId)

  await queryDirectly(environment.DATABASE_URL, "delete from members")
  const after = await startService(environment)
  expect(await after.query("select id from encryption_keys")).toEqual([{ id: newId }])
  await after.stop()
})

it("a value that somebody has changed since it was read is left as it is", async () => {
  const service = await startService()
  const member = await addMember(service, (await makeCompany(service)).id)
  const column =
    sealedColumns.find(({ name }) => name === "members.sealed_email") ?? expect.fail("there is no such column")
  const valueNow = async () => {
    const [row] = await service.query<{ hex: string }>(
      "select encode(sealed_email, 'hex') as hex from members where id = $1",
      [member]
    )
    return row?.hex ?? ""
  }
  const replace = (before: string, after: string) =>
    service.query(replaceIn(column), [`{${member}}`, `{"\\\\x${before}"}`, `{"\\\\x${after}"}`])
  const read = await valueNow()
  await replace("00", "aa")
  expect(await valueNow()).toBe(read)
  await replace(read, "aa")
  expect(await valueNow()).toBe("aa")
  await service.stop()
})

/** Returns when the node looks for values to move, once more than it has looked before. */
const lookedOnce = (url: string) =>
  directly(url, async (query) => {
    await query("begin")
    await query("lock table encryption_keys in access exclusive mode")
    const looking = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      and query like '%from encryption_keys order by sealing_since desc%'`
    await eventually(
      () => queryDirectly(url, looking),
      (found) => found.length > 0,
      30_000
    )
    await query("rollback")
  })

it("a node that seals with a key of before moves nothing back from the newest key", async () => {
  const DATABASE_URL = await freshDatabase()
  const newer = await startService({ DATABASE_URL, ENCRYPTION_KEY: newKey.toString("base64") })
  const member = await addMember(newer, (await makeCompany(newer)).id)
  const email = masterKeysOf(newKey).seal("service secrets", memberPlace(member), Buffer.from("ann@x.example"))
  await newer.query("update members set sealed_email = $1 where id = $2", [PgTypes.bytea(email), member])
  // As if the node with the newer key had started after the other one.
  await newer.query("update encryption_keys set sealing_since = now() + interval '1 day'")
  await newer.stop()
  const older = await startService({
    DATABASE_URL,
    ENCRYPTION_KEY: oldKey.toString("base64"),
    ENCRYPTION_KEYS_RETIRED: newKey.toString("base64")
  })
  // Whoever looks again has moved what the look before has found.
  await lookedOnce(DATABASE_URL)
  await lookedOnce(DATABASE_URL)
  const column = "select encode(substring(sealed_email from 2 for 8), 'hex') as key from members where id = $1"
  expect(await older.query(column, [member])).toEqual([{ key: newId }])
  await older.stop()
})
