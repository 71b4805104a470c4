/** A ping that cannot be attempted now is not lost, and its owner is told how it stands. */
import { expect, test } from "vitest"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { startReceiver } from "../../../support/receivers.ts"
import { startService } from "../../../support/service.ts"

test("a ping too many at once is answered as pending, with the time of its first attempt", async () => {
  const service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
  const company = await makeCompany(service)
  const held: Array<() => void> = []
  const receiver = await startReceiver((_request, response) => void held.push(() => response.writeHead(204).end()))
  await writeEndpoint(service.query, { companyId: company.id, url: receiver.url })
  const ping = () => askSettings(service, `/companies/${company.id}/webhook-endpoints/test/ping`, { method: "POST" })
  const under = Array.from({ length: 4 }, ping)
  await receiver.arrived(4)
  const fifth = await ping()
  expect([fifth.status, fifth.data.status, fifth.data.attempts]).toEqual([200, "PENDING", []])
  expect(Date.parse(fifth.data.nextAttemptAt) - Date.parse(fifth.data.createdAt)).toBe(60_000)
  for (const answer of held) answer()
  expect((await Promise.all(under)).map(({ data }) => data.status)).toEqual(
    Array.from({ length: 4 }, () => "DELIVERED")
  )
  await service.stop()
  await receiver.stop()
})
