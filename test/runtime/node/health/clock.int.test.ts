/** GET /health/ready of a node whose clock is set wrong, and set right again. */
import { expect, it, vi } from "vitest"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase, operatorToken, startService } from "../../../support/service.ts"

it.each([
  ["behind", -600_000],
  ["ahead of", 600_000]
])(
  "says when the node's clock is %s the database's, in readiness and as a number, and stays ready",
  async (words, by) => {
    const service = await startService({ DATABASE_URL: await freshDatabase(), LOG_LEVEL: "none" })
    const ready = async () => {
      const response = await fetch(`${service.baseUrl}/health/ready`)
      const { checks } = (await response.json()) as {
        readonly checks: Readonly<Record<string, { readonly status: string }>>
      }
      return { code: response.status, clock: checks["clock"] }
    }
    const databaseAhead = async () => {
      const scraped = await fetch(`${service.baseUrl}/metrics`, {
        headers: { authorization: `Bearer ${operatorToken}` }
      })
      return Number(/^journeys_database_clock_ahead_seconds (\S+)$/m.exec(await scraped.text())?.[1])
    }
    const clockIs = (status: string) => eventually(ready, ({ clock }) => clock?.status === status)
    await clockIs("ok")
    const right = Date.now.bind(Date)
    const shifted = vi.spyOn(Date, "now").mockImplementation(() => right() + by)
    const wrong = async () => ({ found: await clockIs("degraded"), ahead: await databaseAhead() })
    const { ahead, found } = await wrong().finally(() => shifted.mockRestore())
    expect(found).toMatchObject({ code: 200, clock: { message: expect.stringContaining(`600 s ${words}`) } })
    expect(Math.round(ahead)).toBe(-by / 1000)
    await clockIs("ok")
    expect(Math.round(await databaseAhead())).toBe(0)
    await service.stop()
  }
)
