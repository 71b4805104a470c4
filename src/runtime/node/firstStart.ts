/**
 * What the first start makes: a demo dealer and a demo broker with keys, so that someone who has just run `npm start`
 * can start a journey at once. Only in the embedded database: a database that was given belongs to someone.
 *
 * The file of keys comes first, the database second, all companies in one transaction. After a crash in between, the
 * next start finds no company but the file, and makes the companies that the file names: a key that works is always in
 * the file.
 */
import { Clock, Effect, Option } from "effect"
import { CompanyStore, type NewApiKey, type NewCompany } from "../../actors/company/CompanyStore.ts"
import { keyTrace, newApiKey, newKeyText } from "../../actors/company/apiKey.ts"
import { Ids } from "../../actors/kernel/Ids.ts"
import { Company } from "../../schema/company/Company.ts"
import type { Mode } from "../../schema/Mode.ts"
import type { StoreUnavailable, CommitUnknown } from "../../actors/kernel/StoreError.ts"
import { demoFileOf, readDemo, writeDemo, type Demo, type DemoFileError } from "./demoFile.ts"
import { Settings } from "../Settings.ts"

export type FirstStart =
  /** The demo companies were made just now. */
  | { readonly _tag: "DemoMade"; readonly file: string; readonly demo: Demo }
  /** They were made before, and the file still says what their keys are. */
  | { readonly _tag: "DemoThere"; readonly file: string }
  /** A database that was given, and is empty. */
  | { readonly _tag: "NoCompany" }
  | { readonly _tag: "Nothing" }

/** How the audit log names what nobody asked for. */
const actor = "first start"

const demoCompanies = [
  { name: "Demo Dealer", kind: "DEALER", adminEmail: "dealer@example.com" },
  { name: "Demo Broker", kind: "BROKER", adminEmail: "broker@example.com" }
] as const

/** `baseUrl` goes into the file, for whoever reads the keys from it. */
export const firstStart = Effect.fn("firstStart")(function* (
  baseUrl: string
): Effect.fn.Return<FirstStart, DemoFileError | StoreUnavailable | CommitUnknown, CompanyStore | Ids | Settings> {
  const settings = yield* Settings
  const store = yield* CompanyStore
  const { totalElements } = yield* store.list({ page: 0, size: 1 })
  if (settings.databaseUrl !== undefined) return { _tag: totalElements === 0 ? "NoCompany" : "Nothing" }

  const file = demoFileOf(settings.dataDir)
  if (totalElements > 0) {
    // A file that cannot be read is nobody's trouble as long as the companies are there.
    const demo = yield* Effect.option(readDemo(file))
    return Option.isSome(demo) && demo.value !== null ? { _tag: "DemoThere", file } : { _tag: "Nothing" }
  }
  const ids = yield* Ids
  const demo = (yield* readDemo(file)) ?? newDemo(ids, baseUrl)
  yield* writeDemo(file, demo)
  const now = yield* Clock.currentTimeMillis
  yield* store.add(demo.companies.map((one) => companyOf(one, ids, now)))
  return { _tag: "DemoMade", file, demo }
})

const newDemo = (ids: Ids["Service"], baseUrl: string): Demo => ({
  baseUrl,
  companies: demoCompanies.map(({ kind, name }) => ({
    id: ids.next(),
    name,
    kind,
    testKey: newKeyText("TEST"),
    liveKey: newKeyText("LIVE")
  }))
})

const companyOf = (demo: Demo["companies"][number], ids: Ids["Service"], now: number): NewCompany => {
  const adminEmail = demoCompanies.find(({ kind }) => kind === demo.kind)?.adminEmail ?? demoCompanies[0].adminEmail
  const keyOf = (text: string, mode: Mode): NewApiKey => {
    const { hash, last4 } = keyTrace(text)
    const key = newApiKey({ id: ids.next(), companyId: demo.id, mode, last4, createdAt: now }, {})
    return { key, hash, line: { actor, action: "api_key.created", details: { keyId: key.id, mode, last4 }, at: now } }
  }
  return {
    company: Company.row.make({ id: demo.id, name: demo.name, kind: demo.kind, adminEmail, createdAt: now }),
    line: { actor, action: "company.created", details: { name: demo.name, kind: demo.kind }, at: now },
    keys: [keyOf(demo.testKey, "TEST"), keyOf(demo.liveKey, "LIVE")]
  }
}
