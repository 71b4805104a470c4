/** A database that was filled from a dump of another server, whose transactions had higher numbers. */
import { expect, test } from "vitest"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startService } from "../../support/service.ts"

const listed = async (service: { readonly baseUrl: string }, key: string): Promise<ReadonlyArray<string>> => {
  const { data } = await ask(service, key, "/api/v1/events")
  return data.content.map(({ event }: { readonly event: { readonly id: string } }) => event.id)
}

test("events with transaction numbers of the future are listed after a start, in their order, before those to come", async () => {
  const service = await startService()
  const company = await makeCompany(service, { settings: { sandbox: { pace: "manual" } } })
  await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))
  await service.query("update events set tx = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8")
  expect(await listed(service, company.testKey)).toEqual([])
  await service.stop()

  const again = await startService({ DATABASE_URL: service.databaseUrl })
  const ids = (await again.query<{ readonly id: string }>("select id from events order by sequence")).map(
    ({ id }) => id
  )
  expect(await listed(again, company.testKey)).toEqual(ids)
  const { data } = await start(again, company.testKey, startBody("IDENTITY_DELIVERY"))
  const later = await again.query<{ readonly id: string }>(
    "select id from events where journey_id = $1 order by sequence",
    [data.id]
  )
  // Transactions of other databases on the server may hold new events back for a moment.
  const all = await eventually(
    () => listed(again, company.testKey),
    (found) => found.length >= ids.length + later.length
  )
  expect(all).toEqual([...ids, ...later.map(({ id }) => id)])
  await again.stop()
})
