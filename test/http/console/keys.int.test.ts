/** The pages of API keys: a key is shown once, made once whatever the browser sends again, and changed by owners alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask } from "../../support/companies.ts"
import { tokenIn, wordsOf, type Seen } from "../app/CustomerBrowser.ts"
import { formIn, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const keyIn = ({ text }: Seen): string => /id="once"[^>]*>(svc_[^<]+)</.exec(text)?.[1] ?? ""
const keyPathsIn = ({ text }: Seen): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/href="(\/console\/keys\/[0-9a-f-]{36})"/g)].map(([, path]) => path ?? ""))
]

/** What the form of the page sends. */
const filled = async (path: string, fields: Readonly<Record<string, string>>) => {
  const page = await ground.owner.ask(path)
  return { token: tokenIn(page), form: formIn(page), ...fields }
}

const made = async (
  fields: Readonly<Record<string, string>> = {}
): Promise<{ readonly key: string; readonly path: string }> => {
  const before = keyPathsIn(await ground.owner.ask("/console/keys"))
  const answer = await ground.owner.send(
    "/console/keys",
    await filled("/console/keys", { mode: "TEST", name: "Build", scopes: "journeys:read", ...fields })
  )
  const path = keyPathsIn(await ground.owner.ask("/console/keys")).find((one) => !before.includes(one))
  return { key: keyIn(answer), path: path ?? "" }
}

describe("a new key", () => {
  it("is shown on the answer to its form with a request that works, and nowhere else", async () => {
    const answer = await ground.owner.send(
      "/console/keys",
      await filled("/console/keys", { mode: "TEST", name: "<b>Build</b>", scopes: "journeys:read" })
    )
    const key = keyIn(answer)
    expect([answer.status, answer.headers.get("cache-control"), answer.location]).toEqual([200, "no-store", null])
    expect(key).toMatch(/^svc_test_/)
    expect(wordsOf(answer)).toContain(
      `curl -H &#39;Authorization: Bearer ${key}&#39; ${ground.service.baseUrl}/api/v1/journeys`
    )
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(200)
    const list = await ground.owner.ask("/console/keys")
    expect(list.text).not.toContain(key)
    expect(list.text).toContain("&lt;b&gt;Build&lt;/b&gt;")
    expect(list.text).not.toContain("<b>Build")
    const [path = ""] = keyPathsIn(list)
    expect((await ground.owner.ask(path)).text).not.toContain(key)
    expect((await ground.owner.ask("/console/audit")).text).not.toContain(key)
  })

  it("that may not read is shown with a request that says what a journey needs, and one that may do neither with none", async () => {
    const shown = async (scopes: string) => {
      const form = { mode: "TEST", name: scopes, scopes }
      return ground.owner.send("/console/keys", await filled("/console/keys", form))
    }
    const writes = await shown("journeys:write")
    const [, path = ""] =
      /<code id="request"[^>]*>[^<]*-d &#39;\{\}&#39; http:[/]{2}[^/]+([^<]+)</.exec(writes.text) ?? []
    const answer = await ask(ground.service, keyIn(writes), path, { body: {} })
    expect([answer.status, answer.errors?.map(({ field }: { field: string }) => field)]).toEqual([400, ["type"]])
    const simulates = await shown("journeys:simulate")
    expect(keyIn(simulates)).toMatch(/^svc_test_/)
    expect(wordsOf(simulates)).not.toContain("curl")
  })

  it("is made once, however often its form is sent", async () => {
    const fields = await filled("/console/keys", { mode: "LIVE", name: "Twice", scopes: "journeys:read" })
    const answers = await Promise.all([1, 2, 3].map(() => ground.owner.send("/console/keys", fields)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    const again = await ground.owner.send("/console/keys", fields)
    expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining("nothing was done a second time")])
    const list = await ground.owner.ask("/console/keys")
    expect([...list.text.matchAll(/<bdi>Twice</g)]).toHaveLength(1)
    const without = await ground.owner.send("/console/keys", { ...fields, form: "" })
    expect(without.status).toBe(409)
  })

  it("that cannot be made shows the form again with what was typed, and why", async () => {
    const answer = await ground.owner.send(
      "/console/keys",
      await filled("/console/keys", { mode: "TEST", name: "Old", scopes: "journeys:read", expiresAt: "2020-01-01" })
    )
    expect([answer.status, keyIn(answer)]).toEqual([422, ""])
    expect(answer.text).toMatch(/value="2020-01-01"\s+id="make-expiresAt" name="expiresAt"[^>]*aria-invalid="true"/)
    expect(wordsOf(answer)).toContain("Must be in the future")
    expect(answer.text).toContain('value="Old"')
  })
})

describe("the page of a key", () => {
  it("changes name, permissions and expiry, and leaves the expiry alone when only the name changes", async () => {
    const { path } = await made({ expiresAt: "2031-05-06" })
    const changed = await ground.owner.submitAndFollow(path, {
      name: "Showroom",
      scopes: "journeys:write",
      expiresAt: "2031-05-06"
    })
    expect(wordsOf(changed)).toContain("The key was changed.")
    expect(wordsOf(changed)).toContain("start and change journeys")
    expect(changed.text).toContain("2031-05-06T23:59:59.000Z")
    const forEver = await ground.owner.submitAndFollow(path, {
      name: "Showroom",
      scopes: "journeys:write",
      expiresAt: ""
    })
    expect(wordsOf(forEver)).toContain("Ends Never")
  })

  it("does not take the name away: an empty field is refused beside it, and stays empty where there was no name", async () => {
    const named = await made({ name: "Till", expiresAt: "2031-05-06" })
    const refused = await ground.owner.submit(named.path, { name: " ", scopes: "journeys:write" })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="[\w-]+-name-refused">Must not be empty/)
    await ground.service.query("update api_keys set name = '' where id = $1", [named.path.split("/").at(-1)])
    const changed = await ground.owner.submitAndFollow(named.path, { name: "", scopes: "journeys:write" })
    expect(wordsOf(changed)).toContain("The key was changed.")
  })

  it("does not offer to rotate a key that has ended", async () => {
    const { path } = await made({ name: "Ended" })
    await ground.service.query("update api_keys set expires_at = now() where id = $1", [path.split("/").at(-1)])
    const page = await ground.owner.ask(path)
    expect(page.text).toContain("The key has ended: give it a later end first.")
    expect(page.text).not.toContain(`${path}/rotate`)
  })

  it("asks before it rotates, names the key, and says how to change it without a break", async () => {
    const { key, path } = await made({ name: "Till at the door" })
    const page = await ground.owner.ask(path)
    expect(page.text).not.toContain(`action="${path}/rotate"`)
    expect(page.text).toContain(`href="${path}/rotate"`)
    const question = await ground.owner.ask(`${path}/rotate`)
    expect(wordsOf(question)).toContain(`Till at the door (… ${key.slice(-4)}`)
    expect(wordsOf(question)).toContain("To change it without a break, make a second key")
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(200)
    expect((await ground.team.ask(`${path}/rotate`)).status).toBe(403)
  })

  it("gives the key a new text, shown once; the old one ends", async () => {
    const { key, path } = await made()
    const fields = await filled(`${path}/rotate`, {})
    const answer = await ground.owner.send(`${path}/rotate`, fields)
    const rotated = keyIn(answer)
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect((await ask(ground.service, rotated, "/api/v1/journeys")).status).toBe(200)
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(401)
    expect((await ground.owner.send(`${path}/rotate`, fields)).status).toBe(409)
    expect((await ask(ground.service, rotated, "/api/v1/journeys")).status).toBe(200)
  })

  it("asks before it revokes, and names the key", async () => {
    const { key, path } = await made({ name: "Old till" })
    const question = await ground.owner.ask(`${path}/revoke`)
    expect(wordsOf(question)).toContain(`Old till (… ${key.slice(-4)}`)
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(200)
    const answer = await ground.owner.submitAndFollow(`${path}/revoke`, {})
    expect(wordsOf(answer)).toContain(`The key that ends with ${key.slice(-4)} is revoked.`)
    expect((await ask(ground.service, key, "/api/v1/journeys")).status).toBe(401)
    expect(wordsOf(await ground.owner.ask(path))).toContain("It works nowhere any more")
  })
})

describe("a member of the team", () => {
  it("sees the keys and no form, and is told who may change them", async () => {
    const { path } = await made()
    const list = await ground.team.ask("/console/keys")
    expect(list.status).toBe(200)
    expect(list.text).not.toContain('action="/console/keys"')
    expect(wordsOf(list)).toContain("Only an owner of the company can make, change or revoke keys")
    const token = tokenIn(list)
    const form = formIn(await ground.owner.ask("/console/keys"))
    for (const [at, more] of [
      ["/console/keys", { mode: "TEST", scopes: "journeys:read", form }],
      [path, { name: "Mine", scopes: "journeys:read" }],
      [`${path}/rotate`, { form: formIn(await ground.owner.ask("/console/keys")) }],
      [`${path}/revoke`, {}]
    ] as const) {
      const answer = await ground.team.send(at, { token, ...more })
      expect([at, answer.status]).toEqual([at, 403])
      expect(wordsOf(answer)).toContain("Only an owner of the company may do this")
    }
    expect((await ground.team.ask(`${path}/revoke`)).status).toBe(403)
  })
})

it("a company without a key is told what a key is for", async () => {
  const { service } = ground
  await service.query("delete from api_keys where company_id = $1", [ground.company.id])
  expect(wordsOf(await ground.owner.ask("/console/keys"))).toContain("There is no API key yet")
})
