/**
 * A key of which two changes end the text at once: the second ends the text that the first has made. A backup from between the two has
 * that text, so it stands in the journal, too.
 */
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { holdRows } from "../../faults/heldRows.ts"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { startService, type Service } from "../../support/service.ts"
import { linesIn } from "./restoredGround.ts"

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-at-once-"))
  service = await startService({ ERASURE_JOURNAL: folder })
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")
const rotation = ["/rotate", "POST"] as const

it.each([
  ["another rotation", rotation],
  ["a revocation", ["", "DELETE"] as const]
])("ends the text of a rotated key that %s ends in the same moment", async (_, [path, method]) => {
  const company = await makeCompany(service)
  const change = (way: string, by: string) =>
    askSettings(service, `/companies/${company.id}/api-keys/${company.liveKeyId}${way}`, { method: by })
  // Both have begun before either is written: a transaction of the test holds the key until then.
  const rows = await holdRows(service.databaseUrl)
  await rows.take("select from api_keys where id = $1 for update", [company.liveKeyId])
  const first = change(...rotation)
  await rows.awaited("api_keys")
  const second = change(path, method)
  await rows.awaited("api_keys", 2)
  await rows.take("commit")
  await rows.end()
  const [rotated, after] = await Promise.all([first, second])
  expect([rotated.status, after.status]).toEqual([200, 200])
  const lines = (await linesIn(folder)).map((line) => JSON.stringify(line))
  for (const text of [company.liveKey, rotated.data.key]) {
    expect(lines.filter((line) => line.includes(hashOf(text)))).toHaveLength(1)
  }
})
