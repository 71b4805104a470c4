/** GET /health/ready of a node whose clock is set wrong, and set right again. */
import { expect, it, vi } from "vitest"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase, startService } from "../../../support/service.ts"

it.each([
  ["behind", -600_000],
  ["ahead of", 600_000]
])("says when the node's clock is %s the database's, and the node stays ready", async (words, by) => {
  const service = await startService({ DATABASE_URL: await freshDatabase(), LOG_LEVEL: "none" })
  const ready = async () => {
    const response = await fetch(`${service.baseUrl}/health/ready`)
    const { checks } = (await response.json()) as {
      readonly checks: Readonly<Record<string, { readonly status: string }>>
    }
    return { code: response.status, clock: checks["clock"] }
  }
  const clockIs = (status: string) => eventually(ready, ({ clock }) => clock?.status === status)
  await clockIs("ok")
  const right = Date.now.bind(Date)
  const shifted = vi.spyOn(Date, "now").mockImplementation(() => right() + by)
  const found = await clockIs("degraded").finally(() => shifted.mockRestore())
  expect(found).toMatchObject({ code: 200, clock: { message: expect.stringContaining(`600 s ${words}`) } })
  await clockIs("ok")
  await service.stop()
})
