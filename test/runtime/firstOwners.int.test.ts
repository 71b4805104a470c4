import { expect, it } from "vitest"
import { askSettings, makeCompany } from "../support/companies.ts"
import { startService } from "../support/service.ts"

it("a company of an earlier version has its administrator as the owner once the service has started again", async () => {
  const before = await startService()
  const { id } = await makeCompany(before, { adminEmail: "old@harbour.example" })
  await before.query("delete from members")
  await before.stop()
  const service = await startService({ DATABASE_URL: before.databaseUrl })
  const { data } = await askSettings(service, `/companies/${id}/members`)
  expect(data.content).toMatchObject([{ email: "old@harbour.example", role: "OWNER" }])
  await service.stop()
})
