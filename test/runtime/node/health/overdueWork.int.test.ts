/** By which clock work is overdue: a node whose clock is wrong does what is due later, or looks sooner, and is not stuck. */
import { expect, it } from "vitest"
import { overdueOfNodeStatement } from "../../../../src/runtime/node/health/overdueWorkStatement.ts"
import { makeCompany, start, startBody } from "../../../support/companies.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { startService } from "../../../support/service.ts"

const [second, minute] = [1000, 60_000]

it("work is overdue when it is due by the clock of the database and by that of the node", async () => {
  const service = await startService()
  const { testKey } = await makeCompany(service)
  const { data } = await start(service, testKey, startBody("IDENTITY_DELIVERY"))
  // Nobody wakes the journey from now on.
  await service.stop()
  const isOverdue = async (nodesClock: number, passedAgo: number) => {
    await queryDirectly(
      service.databaseUrl,
      "update journeys set wake_at = now() - $2::int4 * interval '1 millisecond' where id = $1",
      [data.id, passedAgo]
    )
    const rows = await queryDirectly<{ readonly id: string }>(service.databaseUrl, overdueOfNodeStatement, [
      5 * second,
      new Date(Date.now() + nodesClock)
    ])
    return rows.some(({ id }) => id === data.id)
  }
  expect(await isOverdue(0, 30 * second)).toBe(true)
  expect(await isOverdue(0, second)).toBe(false)
  expect(await isOverdue(-2 * minute, 30 * second)).toBe(false)
  expect(await isOverdue(-2 * minute, 3 * minute)).toBe(true)
  expect(await isOverdue(2 * minute, second)).toBe(false)
})
