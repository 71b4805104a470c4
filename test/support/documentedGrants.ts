/** A database whose service works with a role that owns nothing, made by the statements of docs/operators.md. */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { queryDirectly } from "./directly.ts"
import { startService } from "./service.ts"

/** The statements, with names of this test. */
const documentedGrants = async (owner: string, role: string): Promise<ReadonlyArray<string>> => {
  const page = await readFile(new URL("../../docs/operators.md", import.meta.url), "utf8")
  const [, block = ""] = /```sql\n([^`]*journeys_owner[^`]*)```/.exec(page) ?? []
  const statements = block
    .replaceAll("journeys_owner", owner)
    .replaceAll("journeys_service", role)
    .split(";")
    .map((statement) => statement.replaceAll(/--.*/g, "").trim())
    .filter((statement) => statement !== "")
  if (statements.length < 5) throw new Error("the page has no statements for two roles")
  return statements
}

const isRole = (statement: string) => statement.startsWith("create role")

/** Makes both roles and the tables in an empty database, and answers with its address for either role. */
export const withDocumentedRoles = async (
  database: string
): Promise<{ readonly owner: string; readonly service: string }> => {
  const suffix = randomBytes(4).toString("hex")
  const [owner, role] = [`owner_${suffix}`, `service_${suffix}`]
  const statements = await documentedGrants(owner, role)
  const as = (user: string) => Object.assign(new URL(database), { username: user, password: "secret" }).href
  for (const statement of statements.filter(isRole)) {
    await queryDirectly(database, statement.replaceAll(/password '[^']*'/g, "password 'secret'"))
  }
  await queryDirectly(database, `grant all on schema public to ${owner}`)
  await (await startService({ DATABASE_URL: as(owner) })).stop()
  for (const statement of statements.filter((one) => !isRole(one))) await queryDirectly(as(owner), statement)
  return { owner: as(owner), service: as(role) }
}
