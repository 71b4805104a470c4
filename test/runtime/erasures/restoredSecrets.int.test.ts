/** Secrets of webhooks that were rolled after a backup: in the restored backup each signs until its own end, and none longer. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { secretPlace } from "../../../src/actors/webhook/rules/Endpoint.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import { EndpointId } from "../../../src/schema/ids.ts"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { endpointSecret, masterKey, writeEndpoint } from "../../support/endpoints.ts"
import type { Service } from "../../support/service.ts"
import { restoredAfter } from "./restoredGround.ts"

interface Row {
  readonly id: string
  readonly secrets: ReadonlyArray<string | null>
  readonly ends: ReadonlyArray<string | null>
}

/** The secrets that sign, with their ends: the present one has none. */
const secretsOf = async (service: Service, companyId: string) => {
  const [row] = await service.query<Row>(
    `select id, array[encode(sealed_secret, 'hex'), encode(sealed_previous_secret, 'hex'),
       encode(sealed_previous_secret2, 'hex'), encode(sealed_previous_secret3, 'hex')] as secrets,
     array[null, previous_until::text, previous_until2::text, previous_until3::text] as ends
     from webhook_endpoints where company_id = $1`,
    [companyId]
  )
  if (row === undefined) throw new Error("there is no endpoint")
  const opened: Array<{ readonly secret: string; readonly until: string | null }> = []
  for (const [at, sealed] of row.secrets.entries()) {
    if (sealed === null) continue
    const place = secretPlace(EndpointId.make(row.id))
    const secret = await Effect.runPromise(make(masterKey).openSecret(place, Buffer.from(sealed, "hex")))
    opened.push({ secret, until: row.ends[at] ?? null })
  }
  return opened
}

const roll = async (service: Service, companyId: string, overlapHours: number) => {
  const path = `/companies/${companyId}/webhook-endpoints/live/roll-secret`
  const { data, status } = await askSettings(service, path, { body: { overlapHours } })
  expect(status).toBe(200)
  return data.secret as string
}

const withEndpoint = async (service: Service) => {
  const { id } = await makeCompany(service)
  await writeEndpoint(service.query, { companyId: id, url: "https://receiver.example/hooks", livemode: true })
  return id
}

it("a secret that was rolled twice since goes on for its own overlap in a restored backup, and one that was ended at once signs nothing", async () => {
  let known: Awaited<ReturnType<typeof secretsOf>> = []
  const { backup, changed, done, made } = await restoredAfter(
    async (service) => {
      const [twice, ended] = [await withEndpoint(service), await withEndpoint(service)]
      return { twice, ended, rolled: await roll(service, twice, 168), present: await roll(service, ended, 24) }
    },
    async (service, { ended, twice }) => {
      await roll(service, twice, 24)
      known = await secretsOf(service, twice)
      await roll(service, ended, 0)
    }
  )
  const live = await changed()
  expect(await secretsOf(live, made.twice)).toEqual(known)
  // What it knows, with the same ends, is no change of it.
  expect(await live.query("select from audit where actor = 'journal of erasures'")).toEqual([])
  await live.stop()

  const service = await backup()
  const [present, ...previous] = await secretsOf(service, made.twice)
  expect(previous.map(({ secret }) => secret)).toEqual([made.rolled, endpointSecret])
  expect(previous).toEqual(known.slice(1))
  expect(known.map(({ secret }) => secret)).not.toContain(present?.secret)
  const alone = await secretsOf(service, made.ended)
  expect(alone).toHaveLength(1)
  expect([made.present, endpointSecret]).not.toContain(alone[0]?.secret)
  await service.stop()
  await done()
})
