/** Keys that nobody was given: how many look-ups a flood of them costs, and that keys of before are still taken. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { hashApiKey, keyedHashOf, keyTrace, makeApiKey } from "../../../../src/actors/company/apiKey.ts"
import { Vault } from "../../../../src/actors/kernel/Vault.ts"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { call } from "../../../support/requests.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

/** Well-formed, with a right checksum, as anybody can make them. */
const forged = (): string => makeApiKey(false, randomBytes(64), null) ?? forged()

const status = async (key: string) => (await call(service, { key })).status

/** What is asked of the table of keys meanwhile. */
const lookUpsOf = async (ask: () => Promise<unknown>) => {
  const asked = vi.spyOn(service.sql, "unsafe")
  await ask()
  const texts = asked.mock.calls.map(([text]) => text).filter((text) => text.includes("from api_keys"))
  asked.mockRestore()
  return { single: texts.filter((text) => text.includes("any(")).length, all: texts.length }
}

const flood = async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => status(forged())))
  expect(new Set(answers)).toEqual(new Set([401]))
}

it("a flood of forged keys is refused without looking one of them up", async () => {
  const { all, single } = await lookUpsOf(flood)
  expect(single).toBe(0)
  // Which keys of before there are is asked once a second, whatever comes.
  expect(all).toBeLessThan(20)
})

it("a key that the installation has made is looked up, also after it was rotated", async () => {
  expect(await lookUpsOf(() => status(company.liveKey))).toEqual({ single: 1, all: 1 })
  const keyed = keyedHashOf(await service.run(Effect.flatMap(Vault, Effect.succeed)))
  for (const key of [company.liveKey, company.testKey]) expect(keyTrace(key, keyed).isMarked).toBe(true)
  expect(keyTrace(forged(), keyed).isMarked).toBe(false)
  expect(company.testKey).toMatch(/^svc_test_[0-9A-Za-z]{38}$/)
})

it("the mark of a key that was found right is made once, that of a forged key at each try", async () => {
  const keyedHash = keyedHashOf(await service.run(Effect.flatMap(Vault, Effect.succeed)))
  const keyed = vi.fn<typeof keyedHash>(keyedHash)
  const wrong = forged()
  for (const key of [company.testKey, company.testKey, wrong, wrong]) {
    expect(keyTrace(key, keyed)).toEqual({
      hash: Buffer.from(hashApiKey(key)),
      last4: key.slice(-4),
      isMarked: key === company.testKey
    })
  }
  expect(keyed).toHaveBeenCalledTimes(3)
})

it("a key of before keys were marked is taken, until it is revoked", async () => {
  const old = forged()
  await service.query(
    `insert into api_keys (id, company_id, livemode, name, hash, last4, scopes, created_at)
     values (gen_random_uuid(), $1, false, 'old', $2, 'oldd', '{journeys:read}', now())`,
    [company.id, hashApiKey(old)]
  )
  await vi.waitFor(async () => expect(await status(old)).toBe(200), { timeout: 10_000 })
  await service.query("update api_keys set revoked_at = now() where last4 = 'oldd'")
  await vi.waitFor(async () => expect(await status(old)).toBe(401), { timeout: 10_000 })
})
