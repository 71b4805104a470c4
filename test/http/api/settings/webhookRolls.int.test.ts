/** Secrets that are rolled while the ones before still sign: each signs until its own end, and no more of them than there may be. */
import { expect, it } from "vitest"
import { holdRows } from "../../../faults/heldRows.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { aboutEndpoint, codesOf, signedWith, webhookGround } from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)
const roll = (overlapHours: number) => about("/roll-secret", { method: "POST", body: { overlapHours } })
const save = () => about("", { method: "PUT", body: { url: ground.receiver.url } })
const hour = 3_600_000

it("goes on signing with the first secret after a second roll, and lets each end at its own time", async () => {
  const first = (await save()).data.secret
  const [second, third] = [(await roll(24)).data.secret, (await roll(168)).data.secret]
  await about("/ping", { method: "POST" })
  expect(signedWith(ground, third, second, first)).toEqual([true, true, true])

  const shown = (await about("")).data
  const hours = shown.previousSecretsUntil.map((until: string) => Math.round((Date.parse(until) - Date.now()) / hour))
  expect(hours).toEqual([168, 24])
  expect(shown.previousSecretUntil).toBe(shown.previousSecretsUntil[0])

  await ground.service.query(
    "update webhook_endpoints set previous_until2 = now() - interval '1 second' where company_id = $1",
    [ground.company.id]
  )
  const last = (await roll(24)).data
  expect(last.previousSecretsUntil).toHaveLength(2)
  await about("/ping", { method: "POST" })
  expect(signedWith(ground, last.secret, third, second, first)).toEqual([true, true, true, false])
})

it("refuses a roll beyond the secrets that sign together, says when the next one is taken, and ends all with a roll without overlap", async () => {
  await save()
  for (const hours of [168, 24, 168]) expect((await roll(hours)).status).toBe(200)
  const { previousSecretsUntil } = (await about("")).data
  expect(previousSecretsUntil).toHaveLength(webhookLimits.mostPreviousSecrets)
  const refused = await roll(24)
  expect([refused.status, codesOf(refused)]).toEqual([409, [["overlapHours", "CONFLICT"]]])
  expect(refused.message).toContain(previousSecretsUntil[1])
  expect((await about("")).data.previousSecretsUntil).toEqual(previousSecretsUntil)

  const alone = await roll(0)
  expect([alone.status, alone.data.previousSecretsUntil]).toEqual([200, []])
  await about("/ping", { method: "POST" })
  expect(String(ground.receiver.received.at(-1)?.headers["service-signature"]).split(",v1=")).toHaveLength(2)
})

it("signs with no secret behind an emptied one: a node of before empties the first alone when it ends all", async () => {
  const first = (await save()).data.secret
  const [second, third] = [(await roll(24)).data.secret, (await roll(168)).data.secret]
  await ground.service.query(
    "update webhook_endpoints set sealed_previous_secret = null, previous_until = null where company_id = $1",
    [ground.company.id]
  )
  expect((await about("")).data.previousSecretsUntil).toEqual([])
  // A save of the same address keeps the secret, and has the endpoint read anew.
  await save()
  await about("/ping", { method: "POST" })
  expect(signedWith(ground, third, second, first)).toEqual([true, false, false])
})

it("loses no secret that was answered when several roll at the same time", async () => {
  await save()
  const answers = await Promise.all(Array.from({ length: webhookLimits.mostPreviousSecrets }, () => roll(24)))
  const rolled = answers.filter(({ status }) => status === 200).map(({ data }) => data.secret as string)
  for (const lost of answers.filter(({ status }) => status !== 200)) {
    expect(codesOf(lost)).toEqual([["webhookEndpoint", "CONFLICT"]])
  }
  expect(rolled.length).toBeGreaterThan(0)
  await about("/ping", { method: "POST" })
  expect(signedWith(ground, ...rolled)).toEqual(rolled.map(() => true))
})

it.each([
  ["a save", () => save()],
  ["a roll", () => roll(24)]
])("%s that another change came before looks again and is made", async (_, change) => {
  await save()
  const rows = await holdRows(ground.service.databaseUrl)
  await rows.take("update webhook_endpoints set revision = revision + 1 where company_id = $1", [ground.company.id])
  const answer = change()
  await rows.awaited("webhook_endpoints")
  await rows.take("commit")
  await rows.end()
  expect((await answer).status).toBe(200)
})

/** Whether anything is kept of a secret. */
const keptSecrets = () =>
  ground.service.query(
    `select octet_length(sealed_secret || coalesce(sealed_previous_secret, '') || coalesce(sealed_previous_secret2, '')) > 0 as any
     from webhook_endpoints where company_id = $1`,
    [ground.company.id]
  )

it("leaves none of the secrets that sign when the endpoint is removed", async () => {
  await save()
  for (const hours of [24, 168]) await roll(hours)
  expect(await keptSecrets()).toEqual([{ any: true }])
  await about("", { method: "DELETE" })
  expect(await keptSecrets()).toEqual([{ any: false }])
})
